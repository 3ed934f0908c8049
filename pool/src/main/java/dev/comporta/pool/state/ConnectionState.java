package dev.comporta.pool.state;

/** Where a server connection is in its life. The only table of what may follow what is {@link #mayBecome}. */
public enum ConnectionState {
    /** Wanted, without a slot yet: one was asked for, or is being freed by closing another connection. */
    LEASING,
    /** Has its slot; waits until the connect rate, or the pause after a failure, lets it be opened. */
    RATE_LIMITED,
    /** The carrier was told to open it. */
    CONNECTING,
    /** The server was reached and answers; the login is under way. */
    LOGGING_IN,
    /** Logged in and nobody's: part of the reservoir. Its last client's traces are cleaned away soon, or by the next one. */
    READY,
    /** A client's, for a request or a transaction. */
    ATTACHED,
    /** A client's, which must keep it beyond its request. */
    PINNED,
    /** Given back, and being made clean. */
    RESETTING,
    /** Has to prove that it works. */
    VALIDATING,
    /** The carrier was told to close it. It still counts, and so does the server until it has ended the session. */
    CLOSING,
    /** Gone, its slot with it. */
    CLOSED;

    /** Whether a connection in this state may go to that one. Nothing else decides it, and every move asks. */
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
            // Not to READY: who still holds a transaction must say that it ended, or have it rolled back.
            case PINNED -> next == ATTACHED || next == RESETTING || next == CLOSING || next == CLOSED;
            case RESETTING -> next == READY || next == VALIDATING || next == CLOSING || next == CLOSED;
            case VALIDATING -> next == READY || next == RESETTING || next == CLOSING || next == CLOSED;
            case CLOSING -> next == CLOSED;
            case CLOSED -> false;
        };
    }

    /** On its way to be ready, with its slot in hand: it stands for one waiter of its pool. */
    public boolean isComing() {
        return switch (this) {
            case RATE_LIMITED, CONNECTING, LOGGING_IN, RESETTING, VALIDATING -> true;
            case LEASING, READY, ATTACHED, PINNED, CLOSING, CLOSED -> false;
        };
    }

    /** Whether it is logged in and not on its way out. */
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

    /** Whether it is on its way out or gone: what is told of it now is late news. */
    public boolean isOver() {
        return this == CLOSING || this == CLOSED;
    }

    /** Whether a client has it. */
    public boolean isInUse() {
        return this == ATTACHED || this == PINNED;
    }
}
