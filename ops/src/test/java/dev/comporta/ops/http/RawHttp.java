package dev.comporta.ops.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

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
        String head = readLine();
        int length = 0;
        String line = readLine();
        while (!line.isEmpty()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
            line = readLine();
        }
        socket.getInputStream().readNBytes(length);
        return head;
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
