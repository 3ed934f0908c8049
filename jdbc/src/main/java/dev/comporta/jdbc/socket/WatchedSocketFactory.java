package dev.comporta.jdbc.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that a {@link ServerEnd} can watch. Drivers make one by the name of this class. */
public final class WatchedSocketFactory extends SocketFactory {
    @Override
    public Socket createSocket() {
        return ServerEnd.newSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return createSocket(InetAddress.getByName(host), port, local, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        Socket socket = createSocket();
        try {
            socket.bind(new InetSocketAddress(local, localPort));
            socket.connect(new InetSocketAddress(host, port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private Socket connected(InetSocketAddress to) throws IOException {
        Socket socket = createSocket();
        try {
            socket.connect(to);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
