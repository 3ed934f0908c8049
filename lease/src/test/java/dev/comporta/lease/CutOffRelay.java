package dev.comporta.lease;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to Redis that can be cut: what is on it is lost, and nobody gets through until it is mended. */
final class CutOffRelay implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    CutOffRelay(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                if (cut) {
                    client.close();
                    continue;
                }
                Socket server = new Socket();
                sockets.add(server);
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            } catch (IOException e) {
                // The test closed the listener, or Redis is away: the client sees its connection end.
                sockets.forEach(CutOffRelay::end);
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            end(to);
        }
        end(from);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    void cut() {
        cut = true;
        sockets.forEach(CutOffRelay::end);
        sockets.clear();
    }

    void mend() {
        cut = false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
