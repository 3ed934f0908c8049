package dev.comporta.proxy.relay;

import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/** What has to happen to a server connection before it may serve a client's request. */
enum HandOver {
    /** Nothing: its session is this client's already, or can't be told from it. */
    AS_IT_IS,
    /** A reset, which rides on the request and so costs no round trip. */
    RESET_WITH_REQUEST,
    /** A reset and this client's settings, in a message of the proxy's own. */
    APPLY_FIRST;

    private static final int RESETS = PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN;

    /** Whether the client itself wants its session reset. */
    static boolean asksReset(ByteBuf first) {
        return (PacketHeader.status(first) & RESETS) != 0;
    }

    /** Without a transaction there is none to keep, and not every server knows this bit; together they are an error. */
    static void simplifyReset(ByteBuf first) {
        if (asksReset(first)) {
            PacketHeader.setStatus(first, (PacketHeader.status(first) & ~RESETS) | PacketHeader.STATUS_RESETCONNECTION);
        }
    }

    /** Borrows the request's first packet. */
    static HandOver plan(SessionState wanted, PooledServer server, ByteBuf first) {
        return plan(wanted, server.session(), server.connection().changedHands(), first, server.inspector());
    }

    /**
     * @param known of the session
     * @param changedHands whether another client had it last
     * @param inspector is used, where it matters, to read the request ahead
     */
    static HandOver plan(
            SessionState wanted,
            SessionKnowledge known,
            boolean changedHands,
            ByteBuf first,
            RequestInspector inspector) {
        SessionState present = known.state();
        boolean same = present.equals(wanted);
        if (same && !changedHands) {
            return AS_IT_IS;
        }
        if (wanted.equals(SessionState.AS_LOGGED_IN) && known.isResetEnough()) {
            return RESET_WITH_REQUEST;
        }
        // A reset would cost a round trip here. It is not needed when all that was done to the session is proven to
        // have
        // left nothing but what is wanted, and the request is proven to ask for nothing of the client before.
        if (same && known.isProven() && !asksReset(first) && readsNothingLeft(inspector, first)) {
            return AS_IT_IS;
        }
        return APPLY_FIRST;
    }

    private static boolean readsNothingLeft(RequestInspector inspector, ByteBuf first) {
        if (!PacketHeader.isEndOfMessage(first)) {
            return false;
        }
        inspector.begin(first);
        inspector.read(first);
        return inspector.readsNothingLeft();
    }
}
