package dev.comporta.proxy.relay;

/**
 * The phase that a client is in, and every step from one phase to the next. Nobody else can set the phase. An event has one
 * method here, with one switch over the phases, which returns the action to take; its outcome is reported, and is the next
 * step. Does no I/O. Confined to its bucket's loop.
 *
 * <p>{@link ConnectionBroker#acquire} may answer before it returns: while the client is asking, the verdict on an answer is
 * to note it down, and it is acted on when the call has returned.
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
        /** Nothing is to be cancelled yet, or it is cancelled already. */
        HOLD,
        ACKNOWLEDGE,
        /** The same, and what was still coming of the request has ended. */
        ACKNOWLEDGE_AND_REST,
        CANCEL_HELD,
        LEAVE_QUEUE,
        /** The cancel is confirmed when the connection is prepared. */
        DROP_HELD,
        CUT_SHORT,
        PASS_ON,
        CANCEL_REFUSED,
        RELEASE
    }

    /** What an answer of the broker is the answer to. */
    enum OnAnswer {
        NOTE,
        LOGIN,
        REQUEST
    }

    /** What the answer to a question of the proxy's own decides. */
    enum OnQuestionAnswered {
        LOGIN,
        REQUEST,
        CANCELLED_REQUEST,
        TRANSACTION
    }

    /** How the request ended whose response has ended. */
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

    /** Which time limits count. */
    enum OnCheck {
        NONE,
        ARRIVAL,
        SENDING,
        RESPONSE,
        REST
    }

    /** How a client is closed by the operator. */
    enum OnKill {
        /** It waits for an answer of which it has got nothing: the answer is an error. */
        TELL,
        CLOSE_WHEN_TOLD,
        CLOSE,
        /** It has ended, and was given time to read its last answer. */
        CUT_OFF
    }

    /** What is to become of the server connection, if there is one. */
    enum OnEnd {
        NOTHING_TO_GIVE_BACK,
        LEAVE_QUEUE,
        RELEASE_DIRTY,
        ABANDON,
        DISCARD
    }

    private ClientPhase phase = ClientPhase.RESTING;
    /** When the client came to rest, or began to send its request to the server. */
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

    /** Whether the client is to get what the server answers. */
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

    /** The broker has a connection for the client, or refuses, or has lost the one that it was about to give. */
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

    /** The server has answered a question of the proxy's own. */
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

    /** The server has answered the client's request, whole or not. */
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
     * @param goesOn whether the client can go on without the session that is lost
     * @param answerBegun whether the client has got a part of the response
     */
    OnServerLost serverLost(boolean goesOn, boolean answerBegun) {
        return switch (phase) {
            case PREPARING -> goesOn ? OnServerLost.ASK_ANEW : OnServerLost.CLOSE;
            case PREPARING_CANCELLED -> goesOn ? OnServerLost.CONFIRM_CANCEL : OnServerLost.CLOSE;
            case SENDING -> goesOn && !answerBegun ? OnServerLost.REFUSE : OnServerLost.CLOSE;
            case RESPONDING -> goesOn && !answerBegun ? OnServerLost.TELL_LOST : OnServerLost.CLOSE;
            case TIMED_OUT -> goesOn ? OnServerLost.TELL_TIMEOUT : OnServerLost.TELL_TIMEOUT_AND_CLOSE;
            case RESTING -> OnServerLost.CLOSE_WHEN_TOLD; // what it was told is complete
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
     * @param whole whether the client has sent all of the request that is held: it does not listen before
     * @param answerBegun whether the client has got a part of the response
     */
    OnKill kill(boolean whole, boolean answerBegun) {
        return switch (phase) {
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET -> OnKill.TELL;
            case ASKING, QUEUED, PREPARING -> whole ? OnKill.TELL : OnKill.CLOSE;
            case RESPONDING, TIMED_OUT -> answerBegun ? OnKill.CLOSE : OnKill.TELL;
            case RESTING, PROBING, ANSWERED_EARLY -> OnKill.CLOSE_WHEN_TOLD; // what it was told is complete
            case GATHERING, GIVEN, PREPARING_CANCELLED, SENDING, CANCELLING, REFUSED -> OnKill.CLOSE;
            case CLOSED -> OnKill.CUT_OFF;
        };
    }

    /** Nothing that the client sends or is sent counts any more. */
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

    // What came of them.

    /** No request runs any more. */
    void rests(long now) {
        move(ClientPhase.RESTING, phase != ClientPhase.GIVEN && !isSending() && !isClosed());
        since = now;
    }

    void gathers() {
        move(ClientPhase.GATHERING, isResting());
    }

    /** The broker is about to be asked for the connection that the client keeps. */
    void asksToEnter() {
        move(ClientPhase.ENTERING_ASKING, isResting() || phase.compareTo(ClientPhase.ENTERING_RESET) <= 0);
    }

    /** The broker has not answered yet; the client may be gone meanwhile. */
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

    /** The broker has not answered yet; the client may be gone meanwhile. */
    void waits() {
        if (!isClosed()) {
            move(ClientPhase.QUEUED, phase == ClientPhase.ASKING);
        }
    }

    void given() {
        move(ClientPhase.GIVEN, phase == ClientPhase.ASKING || phase == ClientPhase.QUEUED);
    }

    /** The client has kept its connection, and the request is held. */
    void hasKept() {
        move(ClientPhase.GIVEN, isResting() || phase == ClientPhase.GATHERING);
    }

    void prepares() {
        move(ClientPhase.PREPARING, phase == ClientPhase.GIVEN || phase == ClientPhase.PREPARING);
    }

    /** The request did not run, and is sent in another form. */
    void repeats() {
        move(ClientPhase.GIVEN, isResponding());
    }

    /** The proxy itself answers the request, of which nothing was sent. */
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

    /** The client is to be told that its request is refused when the rest of it has come. */
    void refusesTheRest() {
        move(ClientPhase.REFUSED, isUnsent() || isSending());
    }

    /** Whether the request is held, and a connection for it is wanted or being prepared. */
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
