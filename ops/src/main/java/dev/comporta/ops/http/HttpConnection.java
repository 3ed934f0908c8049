package dev.comporta.ops.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** One caller's connection: request, response, and so on until it leaves. Runs on a virtual thread of its own. */
final class HttpConnection implements Runnable {
    /** For so many bytes a refused caller may go on talking before it is cut off. */
    private static final int LINGER_BYTES = 1 << 20;

    private final HttpService service;
    private final Socket socket;
    private final HttpLimits limits;
    /** By {@link System#nanoTime}, when the response must be out; zero while none is being written. */
    private volatile long writtenBy;

    HttpConnection(HttpService service, Socket socket, HttpLimits limits) {
        this.service = service;
        this.socket = socket;
        this.limits = limits;
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            serve();
        } catch (IOException gone) {
            // Callers may leave whenever they like.
        } finally {
            service.left(this);
        }
    }

    private void serve() throws IOException {
        RequestReader reader = new RequestReader(socket, limits);
        boolean another = true;
        try {
            while (another) {
                HttpRequest request = await(reader);
                if (request == null) {
                    return;
                }
                HttpResponse response = service.routes().answer(request);
                another = request.keepAlive();
                write(response, !request.method().equals("HEAD"), another);
            }
        } catch (HttpRefusal refusal) {
            write(refusal.response(), true, false);
        }
        linger();
    }

    private @Nullable HttpRequest await(RequestReader reader) throws IOException, HttpRefusal {
        service.waits(this);
        try {
            return reader.next();
        } finally {
            service.serves(this);
        }
    }

    private void write(HttpResponse response, boolean withBody, boolean another) throws IOException {
        StringBuilder head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(response.status())
                .append(' ')
                .append(HttpResponse.reason(response.status()))
                .append("\r\nDate: ")
                .append(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)))
                .append("\r\nContent-Type: ")
                .append(response.contentType())
                .append("\r\nContent-Length: ")
                .append(response.body().length)
                .append("\r\nCache-Control: no-store\r\nConnection: ")
                .append(another ? "keep-alive" : "close")
                .append("\r\n");
        response.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append("\r\n");
        writtenBy = System.nanoTime() + limits.response().toNanos();
        OutputStream out = socket.getOutputStream();
        out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        if (withBody) {
            out.write(response.body());
        }
        writtenBy = 0;
    }

    /** A connection closed with bytes unread is reset, and the reset can overtake the response: so they are read. */
    private void linger() throws IOException {
        socket.shutdownOutput();
        socket.setSoTimeout((int) limits.linger().toMillis());
        long until = System.nanoTime() + limits.linger().toNanos();
        InputStream in = socket.getInputStream();
        byte[] unread = new byte[4096];
        int total = 0;
        int read = in.read(unread);
        while (read > 0 && total < LINGER_BYTES && System.nanoTime() - until < 0) {
            total += read;
            read = in.read(unread);
        }
    }

    /** A caller that does not take its response is left. Any thread. */
    void checkTime(long now) {
        long by = writtenBy;
        if (by != 0 && now - by > 0) {
            cutOff();
        }
    }

    /** Any thread. */
    void cutOff() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
