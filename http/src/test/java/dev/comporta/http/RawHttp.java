package dev.comporta.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A caller that sends what no well-behaved client would. */
final class RawHttp implements AutoCloseable {
    final Socket socket;

    RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
    }

    RawHttp send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** The status line of the next response, whose body is read too. */
    String status() throws IOException {
        List<String> head = head();
        socket.getInputStream().readNBytes(length(head));
        return head.getFirst();
    }

    /** The body of the next response. */
    String body() throws IOException {
        return new String(socket.getInputStream().readNBytes(length(head())), StandardCharsets.UTF_8);
    }

    /** The lines of the next response's head. */
    List<String> head() throws IOException {
        List<String> lines = new ArrayList<>();
        String line = readLine();
        while (!line.isEmpty()) {
            lines.add(line);
            line = readLine();
        }
        return lines;
    }

    private static int length(List<String> head) {
        return head.stream()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .filter(line -> line.startsWith("content-length: "))
                .mapToInt(line -> Integer.parseInt(line.substring("content-length: ".length())))
                .findFirst()
                .orElse(0);
    }

    /** Whether the server has hung up, with nothing more to say. */
    boolean isClosed() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    private String readLine() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            next = in.read();
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
