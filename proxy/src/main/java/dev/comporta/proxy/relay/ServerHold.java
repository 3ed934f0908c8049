package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/**
 * A client's present server connection, if any, why the client keeps it, and the ways to release it. Each of them empties the
 * hold before it reports, because the receiver of the report may call this client at once.
 */
final class ServerHold {
    private final ConnectionBroker broker;
    private @Nullable PooledServer server;
    private @Nullable PinReason pinned;
    /** Since when it has been kept, for any reason. */
    private long keptSince;
    /** Whether it was reported that it is kept for too long. */
    private boolean overdue;

    ServerHold(ConnectionBroker broker) {
        this.broker = broker;
    }

    boolean isEmpty() {
        return server == null;
    }

    /** Only if there is one. */
    PooledServer server() {
        if (server == null) {
            throw new IllegalStateException("the client has no server connection");
        }
        return server;
    }

    void take(PooledServer given, PooledClient client) {
        server = given;
        given.attach(client);
    }

    boolean isPinned() {
        return pinned != null;
    }

    /** Why the client keeps it; null if it does not. */
    @Nullable
    PinReason pinReason() {
        return pinned;
    }

    /** Since when the client has kept it; the reason may have changed meanwhile. */
    long keptSince() {
        return keptSince;
    }

    boolean isOverdue() {
        return overdue;
    }

    void overdue() {
        overdue = true;
    }

    boolean isInTransaction() {
        return server != null && server.tracker().transaction().isOpen();
    }

    void keep(PinReason reason) {
        if (pinned == null) {
            keptSince = broker.now();
        }
        if (pinned != reason) {
            pinned = reason;
            broker.pin(server(), reason);
        }
    }

    /** Releases a connection whose state is known and that has nothing else left in it: the oldest waiter may get it. */
    void release() {
        boolean wasPinned = pinned != null;
        PooledServer given = give();
        if (given.session().isSpent() || given.session().mayHoldContext()) {
            broker.discard(given);
            return;
        }
        if (wasPinned) {
            broker.unpin(given);
        }
        broker.release(given);
    }

    /** Releases a connection that may have an open transaction or other remains. */
    void releaseDirty() {
        if (server != null) {
            broker.releaseDirty(give());
        }
    }

    /** Releases a connection whose server still answers the client's request. */
    void abandon() {
        if (server != null) {
            broker.abandon(give());
        }
    }

    /** Closes a connection whose state is unknown. */
    void discard() {
        if (server != null) {
            broker.discard(give());
        }
    }

    /** The connection was lost. */
    void lost() {
        server = null;
        pinned = null;
        overdue = false;
    }

    private PooledServer give() {
        PooledServer given = server();
        server = null;
        pinned = null;
        overdue = false;
        given.detach();
        return given;
    }
}
