package dev.comporta.pool.state;

/** The states of a server connection. {@link #mayBecome} is the only table of transitions. */
public enum ConnectionState {
    /** Wanted, without a slot yet: one was asked for, or is being freed by closing another connection. */
    LEASING,
    /** Has its slot; waits until the connect rate, or the pause after a failure, lets it be opened. */
    RATE_LIMITED,
    /** The carrier has the order to open it. */
    CONNECTING,
    /** The server was reached and answers; the login is under way. */
    LOGGING_IN,
    /** Logged in and attached to no client: part of the reservoir. If it is unclean, it is reset soon, or by its next client. */
    READY,
    /** Attached to a client for a request or a transaction. */
    ATTACHED,
    /** Attached to a client that must keep it after its request. */
    PINNED,
    /** Released, and being reset. */
    RESETTING,
    /** Being checked. */
    VALIDATING,
    /** The carrier has the order to close it. It counts, also at the server, until the server has ended the session. */
    CLOSING,
    /** Closed; it has no slot. */
    CLOSED;

    /** Whether a connection in this state may go to the given one. Every transition is checked against it. */
    public boolean mayBecome(ConnectionState next) {
        return switch (this) {
            case LEASING -> next == RATE_LIMITED || next == CLOSED;
            case RATE_LIMITED -> next == CONNECTING || next == CLOSED;
            case CONNECTING -> next == LOGGING_IN || next == CLOSING || next == CLOSED;
            case LOGGING_IN -> next == READY || next == CLOSING || next == CLOSED;
            case READY ->
                next == ATTACHED || next == RESETTING || next == VALIDATING || next == CLOSING || next == CLOSED;
            case ATTACHED ->
                next == READY
                        || next == PINNED
                        || next == RESETTING
                        || next == VALIDATING
                        || next == CLOSING
                        || next == CLOSED;
            // Not to READY: a pinned client may have a transaction, which must be ended or rolled back first.
            case PINNED -> next == ATTACHED || next == RESETTING || next == CLOSING || next == CLOSED;
            case RESETTING -> next == READY || next == VALIDATING || next == CLOSING || next == CLOSED;
            case VALIDATING -> next == READY || next == RESETTING || next == CLOSING || next == CLOSED;
            case CLOSING -> next == CLOSED;
            case CLOSED -> false;
        };
    }

    /** On its way to be ready, with a slot: it covers one waiter of its pool. */
    public boolean isComing() {
        return switch (this) {
            case RATE_LIMITED, CONNECTING, LOGGING_IN, RESETTING, VALIDATING -> true;
            case LEASING, READY, ATTACHED, PINNED, CLOSING, CLOSED -> false;
        };
    }

    /** Whether it is logged in and not closing. */
    public boolean isLive() {
        return switch (this) {
            case READY, ATTACHED, PINNED, RESETTING, VALIDATING -> true;
            case LEASING, RATE_LIMITED, CONNECTING, LOGGING_IN, CLOSING, CLOSED -> false;
        };
    }

    /** Whether the carrier is opening it. */
    public boolean isOpening() {
        return this == CONNECTING || this == LOGGING_IN;
    }

    /** Whether it is closing or closed: events about it come too late. */
    public boolean isOver() {
        return this == CLOSING || this == CLOSED;
    }

    /** The word for it in what operators are shown. */
    public String word() {
        return switch (this) {
            case LEASING, RATE_LIMITED, CONNECTING, LOGGING_IN -> "opening";
            case READY -> "idle";
            case ATTACHED -> "active";
            case PINNED -> "pinned";
            case RESETTING -> "resetting";
            case VALIDATING -> "checking";
            case CLOSING, CLOSED -> "closing";
        };
    }

    /** Whether a client has it. */
    public boolean isInUse() {
        return this == ATTACHED || this == PINNED;
    }
}
