package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.session.SessionState;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server connection that a client has at present, if any, why it keeps it, and the ways to give it back. Each of them
 * leaves the hand empty before anyone is told, because whoever is told may turn to this client at once.
 */
final class ServerHold {
    private final ClientHost host;
    private @Nullable ServerSession server;
    private @Nullable PinReason pinned;

    ServerHold(ClientHost host) {
        this.host = host;
    }

    boolean isEmpty() {
        return server == null;
    }

    /** To be asked for only where there is one. */
    ServerSession server() {
        return Objects.requireNonNull(server);
    }

    void take(ServerSession given, ClientResponse owner) {
        server = given;
        given.attach(owner);
    }

    boolean isPinned() {
        return pinned != null;
    }

    boolean isInTransaction() {
        return server != null && server.tracker().inTransaction();
    }

    void keep(PinReason reason) {
        if (pinned != reason) {
            pinned = reason;
            host.pin(server(), reason);
        }
    }

    /** The connection is in this state and free of anything else: whoever has waited longest may have it. */
    void release(SessionState left) {
        boolean wasPinned = pinned != null;
        ServerSession given = give();
        if (given.isSpent()) {
            host.discard(given);
            return;
        }
        if (wasPinned) {
            host.unpin(given);
        }
        host.release(given, left);
    }

    /** There may be a transaction or more left in it. */
    void releaseDirty() {
        if (server != null) {
            host.releaseDirty(give());
        }
    }

    /** The server still answers. */
    void abandon() {
        if (server != null) {
            host.abandon(give());
        }
    }

    /** The server still answers what the proxy has asked it. */
    void abandonProbe() {
        if (server != null) {
            host.abandonProbe(give());
        }
    }

    /** Nobody can say any more what it is in. */
    void discard() {
        host.discard(give());
    }

    /** It has ended by itself. */
    void lost() {
        server = null;
        pinned = null;
    }

    private ServerSession give() {
        ServerSession given = server();
        server = null;
        pinned = null;
        given.detach();
        return given;
    }
}
