package dev.comporta.proxy.relay.response;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;

/** The reset that a client's request carries, and whether the server has done it. Confined to its bucket's loop. */
public final class RidingReset {
    private enum Kind {
        NONE,
        /** Asked for by the client, which gets the acknowledgement, in its own session. */
        ASKED,
        /** Asked for by the client, which gets the acknowledgement, in a session that another client had. */
        NEEDED,
        /** Added by the proxy: the acknowledgement must not reach the client. */
        ADDED,
        /** Any of these; the response has begun, and may be that of a request that never ran. */
        ANSWERED,
        /** Any of these; the response has begun with more than its end: the request ran, after its reset. */
        RAN
    }

    /** What the first packet of the response says about the reset. */
    public enum Answer {
        NOTHING,
        /** It begins with an acknowledgement that the client must not see. */
        ACKNOWLEDGED,
        /** The request may have run in another client's session: nothing of the response may reach the client. */
        MISSING
    }

    /** Whether the TDS version has an acknowledgement. */
    private final boolean acknowledged;

    private final boolean longRowCounts;
    private Kind kind = Kind.NONE;
    private int acknowledgementLength;

    public RidingReset(TdsVersion version) {
        acknowledged = version.acknowledgesReset();
        longRowCounts = version.hasLongRowCounts();
    }

    public void none() {
        kind = Kind.NONE;
    }

    public void asked() {
        kind = Kind.ASKED;
    }

    public void needed() {
        kind = Kind.NEEDED;
    }

    public void added() {
        kind = Kind.ADDED;
    }

    /**
     * Borrows a packet of the response; only the first one counts.
     *
     * @param cancelled whether the request may have been cancelled before it began, so that it has no acknowledgement
     * @param ignored whether it was withdrawn, which has the same effect
     */
    public Answer answer(ByteBuf packet, boolean cancelled, boolean ignored) {
        if (kind == Kind.NONE || kind == Kind.ANSWERED || kind == Kind.RAN) {
            return Answer.NOTHING;
        }
        Kind sent = kind;
        boolean isAll = BlindEnd.isAll(packet);
        kind = isAll ? Kind.ANSWERED : Kind.RAN;
        if (sent == Kind.ASKED) {
            return Answer.NOTHING;
        }
        acknowledgementLength = ResetAcknowledgement.lengthIn(packet, longRowCounts);
        if (acknowledgementLength > 0) {
            return sent == Kind.ADDED ? Answer.ACKNOWLEDGED : Answer.NOTHING;
        }
        boolean neverRan = ignored || (cancelled && isAll);
        return acknowledged && !neverRan ? Answer.MISSING : Answer.NOTHING;
    }

    /** Whether nothing of the response has arrived yet. */
    public boolean isOutstanding() {
        return switch (kind) {
            case ASKED, NEEDED, ADDED -> true;
            case NONE, ANSWERED, RAN -> false;
        };
    }

    /** The number of bytes of the response's first packet that the client must not get, after {@link Answer#ACKNOWLEDGED}. */
    public int acknowledgementLength() {
        return acknowledgementLength;
    }

    /**
     * Whether nothing proves, at the end of the response, that the server has done it. Before TDS 7.2, where nothing could,
     * it counts as proof that a request ran to its end, or was answered in part before its cancel.
     */
    public boolean isUnproven(ResponseTracker response, boolean ignored) {
        return switch (kind) {
            case NONE -> false;
            case ASKED, NEEDED, ADDED, ANSWERED ->
                acknowledged ? !response.resetIsAcknowledged() : ignored || response.attentionIsAcknowledged();
            case RAN -> acknowledged ? !response.resetIsAcknowledged() : ignored;
        };
    }

    /** Whether a request whose reset is unproven may have run nevertheless, up to its cancel. */
    public boolean mayHaveRun(boolean ignored) {
        return !acknowledged && !ignored;
    }
}
