package dev.comporta.ops.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one request's head after the other from a connection, each within its size and time. One thread at a time. */
final class RequestReader {
    private static final int SOME = 1024;
    /** RFC 9110: what methods and the names of headers are made of. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final Socket socket;
    private final HttpLimits limits;
    private byte[] bytes = new byte[SOME];
    private int end;

    RequestReader(Socket socket, HttpLimits limits) {
        this.socket = socket;
        this.limits = limits;
    }

    /** The next request; null when the client has gone, or has sent none in time, as clients may between two requests. */
    @Nullable
    HttpRequest next() throws IOException, HttpRefusal {
        long deadline = System.nanoTime() + limits.idle().toNanos();
        boolean begun = false;
        int scanned = 0;
        while (true) {
            if (end > 0 && !begun) {
                begun = true;
                deadline = System.nanoTime() + limits.request().toNanos();
            }
            int headEnd = endOfHead(scanned);
            if (headEnd > limits.headBytes() || (headEnd < 0 && end > limits.headBytes())) {
                throw tooLarge();
            }
            if (headEnd >= 0) {
                return take(headEnd);
            }
            scanned = Math.max(0, end - 3);
            if (!more(deadline, begun)) {
                return null;
            }
        }
    }

    /** Waits for more bytes. False when none come, and none need to. */
    private boolean more(long deadline, boolean begun) throws IOException, HttpRefusal {
        if (end == bytes.length) {
            bytes = java.util.Arrays.copyOf(bytes, bytes.length * 2);
        }
        long left = deadline - System.nanoTime();
        InputStream in = socket.getInputStream();
        try {
            // 0 would be for ever.
            socket.setSoTimeout((int) Math.max(1, Duration.ofNanos(left).toMillis()));
            int read = in.read(bytes, end, bytes.length - end);
            if (read > 0) {
                end += read;
                return true;
            }
        } catch (SocketTimeoutException late) {
            if (begun) {
                throw new HttpRefusal(408, "the request did not come in time.");
            }
            return false;
        }
        if (begun) {
            throw new EOFException("the client left in the middle of a request");
        }
        return false;
    }

    /** Where the head's empty line ends; -1 when it is not there yet. Lines may end with LF alone (RFC 9112, 2.2). */
    private int endOfHead(int from) {
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n') {
                if (i + 1 < end && bytes[i + 1] == '\n') {
                    return i + 2;
                }
                if (i + 2 < end && bytes[i + 1] == '\r' && bytes[i + 2] == '\n') {
                    return i + 3;
                }
            }
        }
        return -1;
    }

    private HttpRefusal tooLarge() {
        for (int i = 0; i < Math.min(end, limits.headBytes()); i++) {
            if (bytes[i] == '\n') {
                return new HttpRefusal(431, "the headers are larger than " + limits.headBytes() + " bytes.");
            }
        }
        return new HttpRefusal(414, "the path is longer than " + limits.headBytes() + " bytes.");
    }

    /** Takes the head out of the buffer; what came behind it is the next request's. */
    private HttpRequest take(int headEnd) throws HttpRefusal {
        String head = new String(bytes, 0, headEnd, StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, headEnd, bytes, 0, end - headEnd);
        end -= headEnd;
        return parse(head.split("\r?\n"));
    }

    private static HttpRequest parse(String[] lines) throws HttpRefusal {
        String[] start = lines.length == 0 ? new String[0] : lines[0].split(" ", -1);
        if (start.length != 3 || !TOKEN.matcher(start[0]).matches() || !start[1].startsWith("/")) {
            throw new HttpRefusal(400, "the first line is not that of a request.");
        }
        boolean current = start[2].equals("HTTP/1.1");
        if (!current && !start[2].equals("HTTP/1.0")) {
            throw new HttpRefusal(505, "HTTP/1.1 is spoken here.");
        }
        Map<String, String> headers = headers(lines);
        if (current && !headers.containsKey("host")) {
            throw new HttpRefusal(400, "the Host header is missing.");
        }
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        boolean hasBody = headers.containsKey("transfer-encoding")
                || !headers.getOrDefault("content-length", "0").equals("0");
        // What follows a head with a body is not another request, and nobody here reads bodies.
        boolean keepAlive = current && !connection.contains("close") && !hasBody;
        int query = start[1].indexOf('?');
        return new HttpRequest(start[0], query < 0 ? start[1] : start[1].substring(0, query), headers, keepAlive);
    }

    private static Map<String, String> headers(String[] lines) throws HttpRefusal {
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 0 || !TOKEN.matcher(lines[i].substring(0, colon)).matches()) {
                throw new HttpRefusal(400, "line " + (i + 1) + " is not a header.");
            }
            headers.merge(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip(),
                    (one, other) -> one + ", " + other);
        }
        return headers;
    }
}
