package dev.comporta.proxy.relay.response;

import io.netty.buffer.ByteBuf;

/** The reset that a client's request carries, and whether the server has done it. Confined to its bucket's loop. */
public final class RidingReset {
    private enum Kind {
        NONE,
        /** By the client, which gets the acknowledgement. */
        ASKED,
        /** By the proxy: the acknowledgement is to be kept from the client. */
        ADDED,
        /** By whomever; the response has begun, and may be that of a request that never ran. */
        ANSWERED,
        /** By whomever; the response has begun with more than its end: the request ran, after its reset. */
        RAN
    }

    /** What the first packet of the response says of it. */
    public enum Answer {
        NOTHING,
        /** It begins with an acknowledgement that the client must not see. */
        ACKNOWLEDGED,
        /** The request may have run in another client's session: none of the response may be seen. */
        MISSING
    }

    private final boolean acknowledged;
    private Kind kind = Kind.NONE;

    /** @param acknowledged whether the version of the protocol has an acknowledgement */
    public RidingReset(boolean acknowledged) {
        this.acknowledged = acknowledged;
    }

    public void none() {
        kind = Kind.NONE;
    }

    public void asked() {
        kind = Kind.ASKED;
    }

    public void added() {
        kind = Kind.ADDED;
    }

    /**
     * Borrows a packet of the response; only the first one counts.
     *
     * @param cancelled whether the request may have been cancelled before it began: then there is nothing to see of it
     * @param ignored whether it was given up half way, which has the same effect
     */
    public Answer answer(ByteBuf packet, boolean cancelled, boolean ignored) {
        if (kind != Kind.ASKED && kind != Kind.ADDED) {
            return Answer.NOTHING;
        }
        boolean isAsked = kind == Kind.ASKED;
        boolean isAll = BlindEnd.isAll(packet);
        kind = isAll ? Kind.ANSWERED : Kind.RAN;
        if (isAsked) {
            return Answer.NOTHING;
        }
        if (ResetAcknowledgement.isFirstIn(packet)) {
            return Answer.ACKNOWLEDGED;
        }
        boolean neverRan = ignored || (cancelled && isAll);
        return acknowledged && !neverRan ? Answer.MISSING : Answer.NOTHING;
    }

    /**
     * Whether nothing proves, at the end of the response, that the server has done it. Before TDS 7.2, where nothing could,
     * a request that ran to its end, or has answered something before it was cancelled, is taken for proof.
     */
    public boolean isUnproven(ResponseTracker response, boolean ignored) {
        return switch (kind) {
            case NONE -> false;
            case ASKED, ADDED, ANSWERED ->
                acknowledged ? !response.resetIsAcknowledged() : ignored || response.attentionIsAcknowledged();
            case RAN -> acknowledged ? !response.resetIsAcknowledged() : ignored;
        };
    }

    /** Whether a request whose reset is unproven may have run nevertheless, up to its cancel. */
    public boolean mayHaveRun(boolean ignored) {
        return !acknowledged && !ignored;
    }
}
