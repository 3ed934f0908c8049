package dev.comporta.ops.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a port, and serves each caller on a virtual thread. It shares no thread with the data plane, so it answers
 * whatever that is busy with; and callers that send slowly or never can't keep out others: when the places are taken, the
 * caller that has been waited for the longest makes room.
 */
public final class HttpService implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final Duration LOOKING = Duration.ofSeconds(1);
    private static final byte[] FULL =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 1\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);

    private static final Logger log = LoggerFactory.getLogger(HttpService.class);

    private final ServerSocket server;
    private final HttpRoutes routes;
    private final HttpLimits limits;
    private final Thread watch;
    /** All connections, and those that wait for a request, the longest first. Guarded by this. */
    private final Set<HttpConnection> connections = new LinkedHashSet<>();

    private final Set<HttpConnection> silent = new LinkedHashSet<>();

    private HttpService(ServerSocket server, HttpRoutes routes, HttpLimits limits) {
        this.server = server;
        this.routes = routes;
        this.limits = limits;
        Thread.ofVirtual().name("http-accept-" + server.getLocalPort()).start(this::accept);
        watch = Thread.ofVirtual().name("http-watch-" + server.getLocalPort()).start(this::watch);
    }

    public static HttpService start(InetSocketAddress address, HttpRoutes routes) throws IOException {
        return start(address, routes, HttpLimits.DEFAULTS);
    }

    public static HttpService start(InetSocketAddress address, HttpRoutes routes, HttpLimits limits)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw new IOException("can't listen on " + address + " for HTTP: " + e.getMessage(), e);
        }
        return new HttpService(server, routes, limits);
    }

    /** Where it is bound: of interest where any free port was asked for. */
    public int port() {
        return server.getLocalPort();
    }

    HttpRoutes routes() {
        return routes;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                place(server.accept());
            } catch (IOException e) {
                if (!server.isClosed()) {
                    log.warn("HTTP port {}: a caller could not be let in: {}", port(), e.getMessage());
                    pause(); // no file handles, most likely: trying at once would only spin
                }
            }
        }
    }

    private void place(Socket socket) throws IOException {
        HttpConnection caller = new HttpConnection(this, socket, limits);
        if (makeRoom(caller)) {
            Thread.ofVirtual().name("http-" + port()).start(caller);
            return;
        }
        try (socket) {
            OutputStream out = socket.getOutputStream();
            out.write(FULL); // fits into any socket's buffer: it does not block
        }
    }

    private synchronized boolean makeRoom(HttpConnection caller) {
        if (server.isClosed()) {
            return false;
        }
        if (connections.size() >= limits.connections()) {
            if (silent.isEmpty()) {
                return false;
            }
            HttpConnection longest = silent.iterator().next();
            silent.remove(longest);
            connections.remove(longest);
            longest.cutOff();
        }
        connections.add(caller);
        silent.add(caller); // from here on, not from when its thread gets to run
        return true;
    }

    synchronized void waits(HttpConnection caller) {
        if (connections.contains(caller)) {
            silent.add(caller);
        }
    }

    synchronized void serves(HttpConnection caller) {
        silent.remove(caller);
    }

    synchronized void left(HttpConnection caller) {
        silent.remove(caller);
        connections.remove(caller);
    }

    private synchronized List<HttpConnection> callers() {
        return List.copyOf(connections);
    }

    private void watch() {
        while (!server.isClosed() && pause()) {
            long now = System.nanoTime();
            callers().forEach(caller -> caller.checkTime(now));
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(LOOKING);
            return true;
        } catch (InterruptedException closed) {
            return false;
        }
    }

    /** Stops listening, and cuts off whoever is there. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            log.warn("HTTP port {}: {}", port(), e.getMessage());
        }
        watch.interrupt();
        callers().forEach(HttpConnection::cutOff);
    }
}
