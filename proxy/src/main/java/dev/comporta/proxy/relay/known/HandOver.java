package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/** What must happen to a server connection before it may serve a client's request. */
public enum HandOver {
    /** Nothing: its session is this client's already, or equivalent for the request. */
    AS_IT_IS,
    /** A reset, whose bit is set on the request, so that it costs no round trip. */
    RESET_WITH_REQUEST,
    /** A reset and this client's settings, in the proxy's own message. */
    APPLY_FIRST;

    /** The bits by which a client asks for a reset. */
    public static final int RESETS = PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN;

    /** Whether the client itself asks for a reset of its session. */
    public static boolean asksReset(ByteBuf first) {
        return (PacketHeader.status(first) & RESETS) != 0;
    }

    /**
     * Turns any reset into a plain one: outside a transaction there is none to keep, not every server knows the other bit,
     * and both together are an error.
     */
    public static void simplifyReset(ByteBuf first) {
        if (asksReset(first)) {
            PacketHeader.setStatus(first, (PacketHeader.status(first) & ~RESETS) | PacketHeader.STATUS_RESETCONNECTION);
        }
    }

    /**
     * @param known what is known of the session
     * @param changedHands whether another client had it last
     * @param asksReset whether the client itself asks for a reset
     * @param request the request, as far as it was received
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
        // A reset with the request would cost nothing, but lose the prepared handles.
        if (needless && known.handles().isWorthKeeping()) {
            return AS_IT_IS;
        }
        if (wanted.equals(SessionState.AS_LOGGED_IN) && known.isResetEnough()) {
            return RESET_WITH_REQUEST;
        }
        // A reset costs a round trip here. It is not needed if everything that ran in the session is proven to have
        // left nothing but the wanted state, and the request to read nothing that an earlier client's requests left.
        return needless ? AS_IT_IS : APPLY_FIRST;
    }

    private static boolean isWithHandlesOfOthers(SessionKnowledge known, boolean changedHands) {
        return changedHands ? !known.handles().isEmpty() : known.handles().hasOthers();
    }

    /**
     * Whether neither the request nor a later one on the same connection can execute a handle by its number, in dynamic SQL
     * or a procedure: it is proven to run only its text, and not to keep the connection even if it fails.
     */
    public static boolean usesNoHandles(RequestInspector request, SessionState settings) {
        return request.runsOnlyItsText()
                && request.leavesNothing()
                && !request.found().has(Trait.PINS_IF_CUT_SHORT)
                && !settings.implicitTransactionsMayBeOn();
    }
}
