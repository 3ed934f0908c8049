package dev.comporta.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of the loopback address at which connections are refused until it is closed. A port that was free a moment ago may be
 * another test's by now; this one is bound, and nobody listens at it.
 */
public final class ClosedPort implements AutoCloseable {
    private final Socket bound = new Socket();

    public ClosedPort() throws IOException {
        bound.setReuseAddress(true); // so that a test may listen there, and nobody else is given it
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public int port() {
        return bound.getLocalPort();
    }

    /** As HOST:PORT. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    @Override
    public void close() {
        try {
            bound.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
