package dev.comporta.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** An address of a server that can go away: stands before the server, and passes bytes on until it is closed. */
final class CuttableRelay implements AutoCloseable {
    private final ServerSocket socket;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong fromClients = new AtomicLong();

    /** @param port 0 for any */
    CuttableRelay(InetAddress address, int port, int serverPort) throws IOException {
        this.serverPort = serverPort;
        socket = new ServerSocket();
        socket.setReuseAddress(true); // connections that were cut here may not be forgotten yet
        socket.bind(new InetSocketAddress(address, port), 100);
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
            // Closed.
        }
    }

    private void relay(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(server);
            if (socket.isClosed()) {
                return; // cut before it was known
            }
            Thread.ofVirtual().start(() -> copy(server, client));
            passOn(client.getInputStream(), server.getOutputStream());
        } catch (IOException e) {
            // Either side is gone: so is the other.
        } finally {
            sockets.remove(client);
        }
    }

    private void passOn(InputStream client, OutputStream server) throws IOException {
        byte[] bytes = new byte[1 << 14];
        for (int n = client.read(bytes); n >= 0; n = client.read(bytes)) {
            server.write(bytes, 0, n);
            fromClients.addAndGet(n);
        }
    }

    /** How many bytes of clients it has passed on. */
    long fromClients() {
        return fromClients.get();
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Closed by the other direction.
        } finally {
            sockets.remove(from);
        }
    }

    /** Ends all connections, as a machine that goes down in good order does. */
    void cut() throws IOException {
        for (Socket each : sockets) {
            each.close();
        }
    }

    /** From now on connects are refused; then all connections end. */
    @Override
    public void close() throws IOException {
        socket.close();
        cut();
    }
}
