package dev.comporta.lease.redis.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A way to a port that can be broken in two ways. {@linkplain #cut Cut}, it ends what is on it and turns everybody away.
 * {@linkplain #silence Silenced}, it takes nothing and brings nothing, and tells nobody.
 */
public final class CutOffRelay implements AutoCloseable {
    private enum Way {
        OPEN,
        CUT,
        SILENT,
        GONE
    }

    private static final class Link {
        final Socket client;
        final Socket server = new Socket();
        /** The way forgot it: what is sent on it never arrives. Guarded by the relay. */
        boolean lost;

        Link(Socket client) {
            this.client = client;
        }

        void end() {
            CutOffRelay.end(client);
            CutOffRelay.end(server);
        }
    }

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();
    private Way way = Way.OPEN;

    public CutOffRelay(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** How often somebody has connected, with or without success. */
    public int calls() {
        return calls.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Link link = new Link(listener.accept());
                calls.incrementAndGet();
                connect(link);
            } catch (IOException e) {
                // Closed, which ends the loop.
            }
        }
    }

    private void connect(Link link) {
        links.add(link);
        Thread.ofVirtual().start(() -> {
            try {
                if (isOpenFor(link)) {
                    link.server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                    Thread.ofVirtual().start(() -> copy(link, link.server, link.client));
                    copy(link, link.client, link.server);
                    return;
                }
            } catch (IOException e) {
                // Nobody listens there: who called sees the connection end.
            }
            drop(link);
        });
    }

    private void copy(Link link, Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            while (isOpenFor(link)) {
                int n = in.read(buffer);
                if (!isOpenFor(link) || n < 0) {
                    break;
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One side is gone, and with it the other.
        }
        drop(link);
    }

    private void drop(Link link) {
        link.end();
        links.remove(link);
    }

    /** Waits while nothing gets through; false when it never will. */
    private synchronized boolean isOpenFor(Link link) {
        try {
            while (way == Way.SILENT || (link.lost && way == Way.OPEN)) {
                wait();
            }
            return way == Way.OPEN;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private synchronized void become(Way now) {
        way = now;
        notifyAll();
    }

    /** Ends every connection, and lets nobody through until {@link #mend}. */
    public void cut() {
        become(Way.CUT);
        links.forEach(Link::end);
    }

    /** From now on nothing arrives, in either direction, and no connection ends: as when a network swallows packets. */
    public void silence() {
        become(Way.SILENT);
    }

    /** What was held back arrives now, late. */
    public void mend() {
        become(Way.OPEN);
    }

    /** For new connections alone: on those there are nothing arrives ever again, as when a firewall has forgotten them. */
    public synchronized void mendForNewConnections() {
        links.forEach(link -> link.lost = true);
        become(Way.OPEN);
    }

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        end(listener);
        become(Way.GONE);
        links.forEach(Link::end);
    }
}
