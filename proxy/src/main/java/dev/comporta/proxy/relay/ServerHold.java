package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/**
 * The server connection that a client has at present, if any, why it keeps it, and the ways to give it back. Each of them
 * empties the hold before it reports, because the receiver of the report may call this client at once.
 */
final class ServerHold {
    private final ConnectionBroker broker;
    private @Nullable PooledServer server;
    private @Nullable PinReason pinned;
    /** When it began to be kept, for whatever reason. */
    private long keptSince;
    /** Whether it was told of that it is kept for too long. */
    private boolean overdue;

    ServerHold(ConnectionBroker broker) {
        this.broker = broker;
    }

    boolean isEmpty() {
        return server == null;
    }

    /** To be asked for only where there is one. */
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

    /** Why the client keeps it; null when it does not. */
    @Nullable
    PinReason pinReason() {
        return pinned;
    }

    /** When the client began to keep it: the reason may have changed since. */
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

    /** The connection is in the state that is known of it, and free of anything else: the oldest waiter may have it. */
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

    /** There may be a transaction or more left in it. */
    void releaseDirty() {
        if (server != null) {
            broker.releaseDirty(give());
        }
    }

    /** The server still answers. */
    void abandon() {
        if (server != null) {
            broker.abandon(give());
        }
    }

    /** Its state is no longer known. */
    void discard() {
        if (server != null) {
            broker.discard(give());
        }
    }

    /** It has ended by itself. */
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
