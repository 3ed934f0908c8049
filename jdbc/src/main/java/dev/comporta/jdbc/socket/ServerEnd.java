package dev.comporta.jdbc.socket;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Shows when the server of one physical connection has ended it too. A driver closes its socket and returns, while the
 * server may count the session for as long as it takes to roll back and clean up. So once {@link #waitForServer} was
 * called, closing a socket of the connection sends FIN, and returns when the server has closed its side.
 *
 * <p>A driver whose wait for an answer has timed out closes its socket by itself, while the server works on; so does the Java
 * runtime when it interrupts a virtual thread in that wait. Then FIN is sent, and the socket stays open until the server has
 * closed its side too, which {@link #waitForServer} waits for. Any thread.
 */
public final class ServerEnd {
    /** Longer than the pool's close timeout: {@link #giveUp} ends the wait first. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** Inherited: PostgreSQL's driver connects on a thread that it starts. */
    private static final InheritableThreadLocal<@Nullable ServerEnd> CONNECTING = new InheritableThreadLocal<>();

    private final Set<WatchedSocket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean connecting = true;
    private volatile boolean established;
    private volatile boolean waits;

    /** A call of a driver that opens a connection. */
    @FunctionalInterface
    public interface Connecting {
        @Nullable
        Connection connect() throws SQLException;
    }

    /** Runs the call. Sockets that {@link WatchedSocketFactory} makes meanwhile belong to this connection. */
    public @Nullable Connection watch(Connecting call) throws SQLException {
        CONNECTING.set(this);
        try {
            return call.connect();
        } finally {
            connecting = false; // a thread that the driver has started, and keeps, has inherited this
            CONNECTING.remove();
        }
    }

    /** From now on it is certain that {@link #waitForServer} or {@link #giveUp} is called in the end. */
    public void established() {
        established = true;
    }

    /** Makes the next close of a socket wait for the server; if the driver has closed one before, this method waits. */
    public void waitForServer() {
        waits = true;
        sockets.forEach(WatchedSocket::awaitServerOfAbandoned);
    }

    /** Ends the wait: closes the sockets, whatever the server does. */
    public void giveUp() {
        waits = false;
        sockets.forEach(WatchedSocket::closeAtOnce);
    }

    static Socket newSocket() {
        ServerEnd of = CONNECTING.get();
        if (of == null || !of.connecting) {
            return new Socket();
        }
        WatchedSocket made = new WatchedSocket(of);
        of.sockets.add(made);
        return made;
    }

    private static final class WatchedSocket extends Socket {
        private final ServerEnd end;
        private final AtomicBoolean isClosing = new AtomicBoolean();
        private volatile boolean isAbandoned;

        WatchedSocket(ServerEnd end) {
            this.end = end;
        }

        @Override
        public void close() throws IOException {
            if (isConnected() && !isClosed()) {
                if (!end.waits && (isAbandoned || mayHaveTimedOut() || mayBeInterrupted())) {
                    abandon();
                    return;
                }
                if (end.waits && isClosing.compareAndSet(false, true)) {
                    awaitServer();
                }
            }
            super.close();
            end.sockets.remove(this);
        }

        /** A thread that still reads is not held up for long, because its reads have a timeout. */
        private boolean mayHaveTimedOut() throws SocketException {
            return end.established && !isClosing.get() && getSoTimeout() > 0;
        }

        /** A thread that was interrupted while it read, and so reads no more. */
        private boolean mayBeInterrupted() {
            Thread closing = Thread.currentThread();
            return end.established && !isClosing.get() && closing.isVirtual() && closing.isInterrupted();
        }

        private void abandon() {
            isAbandoned = true;
            try {
                if (!isOutputShutdown()) {
                    shutdownOutput();
                }
            } catch (IOException _) {
                // the connection has failed: FIN can't be sent
            }
            if (end.waits) {
                awaitServerOfAbandoned(); // waitForServer may not have seen it yet
            }
        }

        void awaitServerOfAbandoned() {
            if (isAbandoned && isClosing.compareAndSet(false, true)) {
                awaitServer();
                closeAtOnce();
            }
        }

        private void awaitServer() {
            try {
                if (!isOutputShutdown()) {
                    shutdownOutput();
                }
                setSoTimeout((int) LONGEST.toMillis());
                InputStream in = getInputStream();
                byte[] dropped = new byte[512];
                while (in.read(dropped) >= 0) {
                    // sent by the server before it read FIN
                }
            } catch (IOException _) {
                // RST is an end as well; after any other error giveUp closes the socket
            }
        }

        void closeAtOnce() {
            isClosing.set(true);
            try {
                super.close();
            } catch (IOException _) {
                // it is closed anyway
            }
            end.sockets.remove(this);
        }
    }
}
