package dev.comporta.proxy;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server and closes the connection on each LOGIN7 that has a word in it, as servers do with some logins. */
final class LoginGate implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private final String word;
    final AtomicInteger closed = new AtomicInteger();

    LoginGate(int serverPort, String word) throws IOException {
        this.serverPort = serverPort;
        this.word = word;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        try {
            while (!socket.isClosed()) {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> relay(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void relay(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread.ofVirtual().start(() -> copyAnswers(server, client));
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            while (true) {
                byte[] header = in.readNBytes(PacketHeader.LENGTH);
                if (header.length < PacketHeader.LENGTH) {
                    return;
                }
                int length = (header[2] & 0xFF) << 8 | header[3] & 0xFF;
                byte[] payload = in.readNBytes(length - PacketHeader.LENGTH);
                boolean isLogin = header[0] == PacketType.LOGIN7;
                if (isLogin && new String(payload, StandardCharsets.UTF_16LE).contains(word)) {
                    closed.incrementAndGet();
                    return;
                }
                out.write(header);
                out.write(payload);
            }
        } catch (IOException e) {
            // Either side is gone: so is the other.
        }
    }

    private static void copyAnswers(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Closed by the other direction.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
