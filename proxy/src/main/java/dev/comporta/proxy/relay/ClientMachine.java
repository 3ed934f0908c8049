package dev.comporta.proxy.relay;

/**
 * The phase of a client, and every step from one phase to the next; no other class can set the phase. Each event has one
 * method, with one switch over the phases, which returns the action to take; the outcome of the action is reported, and is
 * the next step. Does no I/O. Confined to its bucket's loop.
 *
 * <p>{@link ConnectionBroker#acquire} may answer before it returns: during that call the verdict on an answer is to note it,
 * and it is handled when the call has returned.
 */
final class ClientMachine {
    enum OnPacket {
        BEGIN,
        GATHER,
        SEND,
        HOLD,
        SKIP,
        RELEASE
    }

    enum OnAttention {
        /** There is nothing to cancel yet, or it is cancelled already. */
        HOLD,
        ACKNOWLEDGE,
        /** The same, and the rest of the request will not come. */
        ACKNOWLEDGE_AND_REST,
        CANCEL_HELD,
        LEAVE_QUEUE,
        /** The cancel is acknowledged when the connection is prepared. */
        DROP_HELD,
        CUT_SHORT,
        PASS_ON,
        CANCEL_REFUSED,
        RELEASE
    }

    /** What the broker's answer is for. */
    enum OnAnswer {
        NOTE,
        LOGIN,
        REQUEST
    }

    /** What the answer to the proxy's own request decides. */
    enum OnQuestionAnswered {
        LOGIN,
        REQUEST,
        CANCELLED_REQUEST,
        TRANSACTION
    }

    /** How a request ended, at the end of its response. */
    enum OnResponseEnded {
        BEFORE_ITS_REQUEST,
        COMPLETE,
        CANCELLED,
        TIMED_OUT
    }

    enum OnServerLost {
        ASK_ANEW,
        CONFIRM_CANCEL,
        REFUSE,
        TELL_LOST,
        TELL_TIMEOUT,
        TELL_TIMEOUT_AND_CLOSE,
        CLOSE_WHEN_TOLD,
        CLOSE
    }

    /** The timeouts that apply. */
    enum OnCheck {
        NONE,
        ARRIVAL,
        SENDING,
        RESPONSE,
        REST
    }

    /** How the operator's kill closes a client. */
    enum OnKill {
        /** It waits for a response and has received no part of it: it gets an error. */
        TELL,
        CLOSE_WHEN_TOLD,
        CLOSE,
        /** It was closed already, and may still read its last response. */
        CUT_OFF
    }

    /** What to do with the server connection, if there is one. */
    enum OnEnd {
        NOTHING_TO_GIVE_BACK,
        LEAVE_QUEUE,
        RELEASE_DIRTY,
        ABANDON,
        DISCARD
    }

    private ClientPhase phase = ClientPhase.RESTING;
    /** When the client became idle, or its request began to be sent to the server. */
    private long since;

    ClientPhase phase() {
        return phase;
    }

    long since() {
        return since;
    }

    boolean isResting() {
        return phase == ClientPhase.RESTING;
    }

    boolean isSending() {
        return phase == ClientPhase.SENDING;
    }

    boolean isResponding() {
        return phase == ClientPhase.RESPONDING;
    }

    boolean isClosed() {
        return phase == ClientPhase.CLOSED;
    }

    /** Whether the client gets the server's response. */
    boolean passesResponse() {
        return switch (phase) {
            case SENDING, RESPONDING, CANCELLING -> true;
            case TIMED_OUT -> false;
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET, RESTING, GATHERING, ASKING, QUEUED ->
                throw impossible("a part of a response");
            case GIVEN, PREPARING, PREPARING_CANCELLED, PROBING, REFUSED, ANSWERED_EARLY, CLOSED ->
                throw impossible("a part of a response");
        };
    }

    // Events.

    OnPacket packet() {
        return switch (phase) {
            case RESTING -> OnPacket.BEGIN;
            case GATHERING -> OnPacket.GATHER;
            case SENDING -> OnPacket.SEND;
            case ENTERING_QUEUED, ENTERING_RESET, QUEUED, PREPARING, PREPARING_CANCELLED -> OnPacket.HOLD;
            case RESPONDING, CANCELLING, TIMED_OUT, PROBING -> OnPacket.HOLD;
            case REFUSED, ANSWERED_EARLY -> OnPacket.SKIP;
            case CLOSED -> OnPacket.RELEASE;
            case ENTERING_ASKING, ASKING, GIVEN -> throw impossible("a packet");
        };
    }

    OnAttention attention() {
        return switch (phase) {
            case ENTERING_QUEUED, ENTERING_RESET -> OnAttention.HOLD;
            case PREPARING_CANCELLED, CANCELLING, TIMED_OUT, PROBING -> OnAttention.HOLD;
            case RESTING -> OnAttention.ACKNOWLEDGE;
            case ANSWERED_EARLY -> OnAttention.ACKNOWLEDGE_AND_REST;
            case GATHERING -> OnAttention.CANCEL_HELD;
            case QUEUED -> OnAttention.LEAVE_QUEUE;
            case PREPARING -> {
                phase = ClientPhase.PREPARING_CANCELLED;
                yield OnAttention.DROP_HELD;
            }
            case SENDING -> {
                phase = ClientPhase.CANCELLING;
                yield OnAttention.CUT_SHORT;
            }
            case RESPONDING -> {
                phase = ClientPhase.CANCELLING;
                yield OnAttention.PASS_ON;
            }
            case REFUSED -> OnAttention.CANCEL_REFUSED;
            case CLOSED -> OnAttention.RELEASE;
            case ENTERING_ASKING, ASKING, GIVEN -> throw impossible("an attention");
        };
    }

    /** The broker has a connection for the client, refuses it, or has lost the connection meant for it. */
    OnAnswer answer() {
        return switch (phase) {
            case ENTERING_ASKING, ASKING -> OnAnswer.NOTE;
            case ENTERING_QUEUED -> OnAnswer.LOGIN;
            case QUEUED -> OnAnswer.REQUEST;
            case ENTERING_RESET, RESTING, GATHERING, GIVEN, PREPARING, PREPARING_CANCELLED ->
                throw impossible("an answer of the broker");
            case SENDING, RESPONDING, CANCELLING, TIMED_OUT, PROBING, REFUSED, ANSWERED_EARLY, CLOSED ->
                throw impossible("an answer of the broker");
        };
    }

    /** The server has answered the proxy's own request. */
    OnQuestionAnswered questionAnswered() {
        return switch (phase) {
            case ENTERING_RESET -> OnQuestionAnswered.LOGIN;
            case PREPARING -> OnQuestionAnswered.REQUEST;
            case PREPARING_CANCELLED -> OnQuestionAnswered.CANCELLED_REQUEST;
            case PROBING -> OnQuestionAnswered.TRANSACTION;
            case ENTERING_ASKING, ENTERING_QUEUED, RESTING, GATHERING, ASKING, QUEUED, GIVEN ->
                throw impossible("an answer to a question");
            case SENDING, RESPONDING, CANCELLING, TIMED_OUT, REFUSED, ANSWERED_EARLY, CLOSED ->
                throw impossible("an answer to a question");
        };
    }

    /** The response has ended, though the request may not be sent completely. */
    OnResponseEnded responseEnded() {
        return switch (phase) {
            case SENDING -> {
                phase = ClientPhase.ANSWERED_EARLY;
                yield OnResponseEnded.BEFORE_ITS_REQUEST;
            }
            case RESPONDING -> OnResponseEnded.COMPLETE;
            case CANCELLING -> OnResponseEnded.CANCELLED;
            case TIMED_OUT -> OnResponseEnded.TIMED_OUT;
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET, RESTING, GATHERING, ASKING, QUEUED ->
                throw impossible("the end of a response");
            case GIVEN, PREPARING, PREPARING_CANCELLED, PROBING, REFUSED, ANSWERED_EARLY, CLOSED ->
                throw impossible("the end of a response");
        };
    }

    /**
     * @param goesOn whether the client can continue without the lost session
     * @param answerBegun whether the client has received a part of the response
     */
    OnServerLost serverLost(boolean goesOn, boolean answerBegun) {
        return switch (phase) {
            case PREPARING -> goesOn ? OnServerLost.ASK_ANEW : OnServerLost.CLOSE;
            case PREPARING_CANCELLED -> goesOn ? OnServerLost.CONFIRM_CANCEL : OnServerLost.CLOSE;
            case SENDING -> goesOn && !answerBegun ? OnServerLost.REFUSE : OnServerLost.CLOSE;
            case RESPONDING -> goesOn && !answerBegun ? OnServerLost.TELL_LOST : OnServerLost.CLOSE;
            case TIMED_OUT -> goesOn ? OnServerLost.TELL_TIMEOUT : OnServerLost.TELL_TIMEOUT_AND_CLOSE;
            case RESTING -> OnServerLost.CLOSE_WHEN_TOLD; // its last response is complete
            case ENTERING_RESET, GATHERING, CANCELLING, PROBING -> OnServerLost.CLOSE;
            case ENTERING_ASKING, ENTERING_QUEUED, ASKING, QUEUED, GIVEN ->
                throw impossible("the loss of its server connection");
            case REFUSED, ANSWERED_EARLY, CLOSED -> throw impossible("the loss of its server connection");
        };
    }

    OnCheck check() {
        return switch (phase) {
            case GATHERING, REFUSED, ANSWERED_EARLY -> OnCheck.ARRIVAL;
            case SENDING -> OnCheck.SENDING;
            case RESPONDING -> OnCheck.RESPONSE;
            case RESTING -> OnCheck.REST;
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET, ASKING, QUEUED, GIVEN -> OnCheck.NONE;
            case PREPARING, PREPARING_CANCELLED, CANCELLING, TIMED_OUT, PROBING, CLOSED -> OnCheck.NONE;
        };
    }

    /**
     * The operator closes the client.
     *
     * @param whole whether the client has sent the whole held request: it does not read before
     * @param answerBegun whether the client has received a part of the response
     */
    OnKill kill(boolean whole, boolean answerBegun) {
        return switch (phase) {
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET -> OnKill.TELL;
            case ASKING, QUEUED, PREPARING -> whole ? OnKill.TELL : OnKill.CLOSE;
            case RESPONDING, TIMED_OUT -> answerBegun ? OnKill.CLOSE : OnKill.TELL;
            case RESTING, PROBING, ANSWERED_EARLY -> OnKill.CLOSE_WHEN_TOLD; // its last response is complete
            case GATHERING, GIVEN, PREPARING_CANCELLED, SENDING, CANCELLING, REFUSED -> OnKill.CLOSE;
            case CLOSED -> OnKill.CUT_OFF;
        };
    }

    /** Closes the client: ignores what it sends from now on, and sends it nothing more. */
    OnEnd end() {
        ClientPhase was = phase;
        phase = ClientPhase.CLOSED;
        return switch (was) {
            case ENTERING_ASKING, ENTERING_QUEUED, ASKING, QUEUED -> OnEnd.LEAVE_QUEUE;
            case RESTING, GATHERING -> OnEnd.RELEASE_DIRTY;
            case RESPONDING, CANCELLING, TIMED_OUT, PROBING -> OnEnd.ABANDON;
            case ENTERING_RESET, GIVEN, PREPARING, PREPARING_CANCELLED, SENDING -> OnEnd.DISCARD;
            case REFUSED, ANSWERED_EARLY, CLOSED -> OnEnd.NOTHING_TO_GIVE_BACK;
        };
    }

    // Outcomes of actions.

    /** No request runs any more. */
    void rests(long now) {
        move(ClientPhase.RESTING, phase != ClientPhase.GIVEN && !isSending() && !isClosed());
        since = now;
    }

    void gathers() {
        move(ClientPhase.GATHERING, isResting());
    }

    /** The broker is about to be asked for the connection that the client will keep. */
    void asksToEnter() {
        move(ClientPhase.ENTERING_ASKING, isResting() || phase.compareTo(ClientPhase.ENTERING_RESET) <= 0);
    }

    /** The broker has not answered yet; the client may be closed meanwhile. */
    void waitsToEnter() {
        if (!isClosed()) {
            move(ClientPhase.ENTERING_QUEUED, phase == ClientPhase.ENTERING_ASKING);
        }
    }

    void entersOnUsed() {
        move(ClientPhase.ENTERING_RESET, phase.compareTo(ClientPhase.ENTERING_RESET) < 0);
    }

    /** The broker is about to be asked for a connection for the request, of which nothing was sent. */
    void asks() {
        move(ClientPhase.ASKING, phase == ClientPhase.GATHERING || isUnsent());
    }

    /** The broker has not answered yet; the client may be closed meanwhile. */
    void waits() {
        if (!isClosed()) {
            move(ClientPhase.QUEUED, phase == ClientPhase.ASKING);
        }
    }

    void given() {
        move(ClientPhase.GIVEN, phase == ClientPhase.ASKING || phase == ClientPhase.QUEUED);
    }

    /** The client has kept its connection, and its request is held. */
    void hasKept() {
        move(ClientPhase.GIVEN, isResting() || phase == ClientPhase.GATHERING);
    }

    void prepares() {
        move(ClientPhase.PREPARING, phase == ClientPhase.GIVEN || phase == ClientPhase.PREPARING);
    }

    /** The request did not run, and will be sent in another form. */
    void repeats() {
        move(ClientPhase.GIVEN, isResponding());
    }

    /** The proxy itself answers the request, of which nothing was sent to the server. */
    void answersInstead(long now) {
        move(
                ClientPhase.RESTING,
                isResting() || phase == ClientPhase.GIVEN || phase == ClientPhase.GATHERING || isUnsent());
        since = now;
    }

    void sends(long now) {
        move(ClientPhase.SENDING, isResting() || phase == ClientPhase.GIVEN || phase == ClientPhase.PREPARING);
        since = now;
    }

    void sent() {
        move(ClientPhase.RESPONDING, isSending());
    }

    void timesOut() {
        move(ClientPhase.TIMED_OUT, isResponding());
    }

    void probes() {
        move(ClientPhase.PROBING, isResponding() || phase == ClientPhase.CANCELLING || phase == ClientPhase.TIMED_OUT);
    }

    /** The request is refused; the client gets the error when the rest has arrived. */
    void refusesTheRest() {
        move(ClientPhase.REFUSED, isUnsent() || isSending());
    }

    /** Whether the request is held while a connection is requested or prepared for it. */
    private boolean isUnsent() {
        return phase == ClientPhase.ASKING || phase == ClientPhase.QUEUED || phase == ClientPhase.PREPARING;
    }

    private void move(ClientPhase next, boolean possible) {
        if (!possible) {
            throw impossible(next.name());
        }
        phase = next;
    }

    private IllegalStateException impossible(String event) {
        return new IllegalStateException(event + " while " + phase);
    }
}
