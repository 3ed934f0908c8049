package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/** What has to happen to a server connection before it may serve a client's request. */
public enum HandOver {
    /** Nothing: its session is this client's already, or can't be told from it. */
    AS_IT_IS,
    /** A reset, which rides on the request and so costs no round trip. */
    RESET_WITH_REQUEST,
    /** A reset and this client's settings, in a message of the proxy's own. */
    APPLY_FIRST;

    /** The bits by which a client asks for a reset. */
    public static final int RESETS = PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN;

    /** Whether the client itself wants its session reset. */
    public static boolean asksReset(ByteBuf first) {
        return (PacketHeader.status(first) & RESETS) != 0;
    }

    /** Without a transaction there is none to keep, and not every server knows this bit; together they are an error. */
    public static void simplifyReset(ByteBuf first) {
        if (asksReset(first)) {
            PacketHeader.setStatus(first, (PacketHeader.status(first) & ~RESETS) | PacketHeader.STATUS_RESETCONNECTION);
        }
    }

    /**
     * @param known of the session
     * @param changedHands whether another client had it last
     * @param asksReset whether the client itself wants its session reset
     * @param request as far as it has come
     */
    public static HandOver plan(
            SessionState wanted,
            SessionKnowledge known,
            boolean changedHands,
            boolean asksReset,
            RequestInspector request) {
        boolean same = known.state().equals(wanted);
        boolean apart = !isWithHandlesOfOthers(known, changedHands) || usesNoHandles(request, wanted);
        if (same && !changedHands && apart) {
            return AS_IT_IS;
        }
        boolean needless = same && apart && known.isProven() && !asksReset && request.readsNothingLeft();
        // It would cost nothing, but what was prepared would be lost.
        if (needless && known.handles().isWorthKeeping()) {
            return AS_IT_IS;
        }
        if (wanted.equals(SessionState.AS_LOGGED_IN) && known.isResetEnough()) {
            return RESET_WITH_REQUEST;
        }
        // A reset would cost a round trip here. It is not needed when all that was done to the session is proven to
        // have left nothing but what is wanted, and the request is proven to ask for nothing of the client before.
        return needless ? AS_IT_IS : APPLY_FIRST;
    }

    private static boolean isWithHandlesOfOthers(SessionKnowledge known, boolean changedHands) {
        return changedHands ? !known.handles().isEmpty() : known.handles().hasOthers();
    }

    /**
     * Whether neither the request nor one that follows it on the same connection can execute a handle by its number, in
     * dynamic SQL, in a procedure: it is proven to run nothing but its text, and not to keep the connection, not even if it
     * fails.
     */
    public static boolean usesNoHandles(RequestInspector request, SessionState settings) {
        return request.runsOnlyItsText()
                && request.leavesNothing()
                && !request.found().has(Trait.PINS_IF_CUT_SHORT)
                && !settings.implicitTransactionsMayBeOn();
    }
}
