package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.SlowRequest;
import org.jspecify.annotations.Nullable;

/**
 * What follows the response to a client's request: the server connection is kept or released, or the client is told that it
 * was lost. One for each client, for all its requests. Confined to its bucket's loop.
 */
record ResponsePath(
        PooledClient client,
        ConnectionBroker broker,
        ClientMachine machine,
        ClientState state,
        ServerHold hold,
        ProxyAnswers answers,
        RequestPath requests) {
    /** Not "try again": that could do twice what was done. */
    private static final String LOST = "the connection to the server was lost before it answered. The request may have"
            + " taken effect or not: look before you send it again.";

    private static final String KILLED =
            "an operator has ended this session; an open transaction is rolled back. Connect again.";

    /** The request has taken too long. */
    void timeOut() {
        if (hold.server().exchange().hasAnswered()) {
            // Part of the response is out, perhaps half a row: no error can be put behind that.
            client.close("query_timeout, in the middle of the response");
            return;
        }
        machine.timesOut();
        hold.server().sendAttention();
    }

    void ended(PooledServer given) {
        ClientMachine.OnResponseEnded verdict = machine.responseEnded();
        switch (verdict) {
            case BEFORE_ITS_REQUEST -> answeredEarly(given);
            case COMPLETE, CANCELLED, TIMED_OUT -> {
                if (given.exchange().isResetUnproven() || given.inspector().isCutShort()) {
                    giveUp(given, verdict);
                } else {
                    answered(given, verdict);
                }
            }
        }
    }

    private void answered(PooledServer given, ClientMachine.OnResponseEnded verdict) {
        RequestInspector sent = given.inspector();
        long now = broker.now();
        long firstByte = given.exchange().firstByteAt(now) - machine.since();
        given.connection().countQuery(firstByte, now - machine.since());
        boolean certain = given.tracker().errors() == 0
                && verdict == ClientMachine.OnResponseEnded.COMPLETE
                && !given.session().isLost();
        state.after(sent, given, certain);
        if (certain && sent.leavesTransactionOpen() && given.session().habits() == ServerHabits.ASKED) {
            // Not asked for: PostgreSQL would take the question for the transaction's first query, which fixes what it
            // sees.
            given.tracker().transaction().begunWithoutAWord();
        }
        tellIfTimedOut(given, verdict);
        SlowTrace trace = requests.trace();
        if (trace != null) {
            trace.ended(given, outcome(verdict), firstByte, reasonToKeep(given), now);
        }
        boolean mustAskContext = given.session().mayHoldContext()
                && !given.tracker().transaction().isOpen();
        boolean mayBeImplicit = given.session().mayBeImplicit(state.settings());
        if (mustAskContext || given.session().habits().mustAsk(sent, given.tracker(), mayBeImplicit)) {
            machine.probes();
            given.questions().probe(client);
        } else if (given.session().handles().isSurplusDue() && given.isOutsideTransaction()) {
            machine.probes();
            given.questions().giveUpSurplus(client);
        } else {
            settle(given);
        }
    }

    private void tellIfTimedOut(PooledServer given, ClientMachine.OnResponseEnded verdict) {
        if (verdict == ClientMachine.OnResponseEnded.TIMED_OUT) {
            answers.timeout(client, broker.timeoutAdvice(), given.tracker().transaction());
        }
    }

    private static SlowRequest.Outcome outcome(ClientMachine.OnResponseEnded verdict) {
        return switch (verdict) {
            case COMPLETE, BEFORE_ITS_REQUEST -> SlowRequest.Outcome.COMPLETED;
            case CANCELLED -> SlowRequest.Outcome.CANCELLED;
            case TIMED_OUT -> SlowRequest.Outcome.TIMED_OUT;
        };
    }

    /** What the client has kept its connection for may be gone. */
    void settleKept() {
        if (!hold.isEmpty()) {
            settle(hold.server());
        }
    }

    /**
     * How the server takes the rest is not known; the client has its answer, an error most likely. Its request is read to
     * the end before it is closed, where it must be: otherwise it could lose the answer.
     */
    private void answeredEarly(PooledServer given) {
        state.bulkEnded();
        boolean hadState = reasonToKeep(given) != null;
        hold.discard();
        if (!isThereAfterFlush()) {
            return;
        }
        if (hadState) {
            client.leave("the server answered before the request was complete, and its session is lost");
        }
        requests.packets().heard();
        requests.packets().reading(true);
    }

    /** Nobody knows what became of the session that the request was to reset, or to leave alone. */
    private void giveUp(PooledServer given, ClientMachine.OnResponseEnded verdict) {
        tellIfTimedOut(given, verdict);
        if (hold.isPinned() || given.exchange().mayHaveLeftSomething(state.settings())) {
            client.closeWhenTold("the state of its server session is unknown");
            return;
        }
        hold.discard();
        machine.rests(broker.now());
        client.flush();
    }

    /** The server was asked for its transaction. */
    void probed(boolean failed) {
        if (failed) {
            state.keepUntilReset(PinReason.NOT_UNDERSTOOD);
        } else if (hold.server().session().isContextSet()) {
            state.keepUntilReset(PinReason.SESSION_CONTEXT);
        }
        settle(hold.server());
    }

    private void settle(PooledServer given) {
        machine.rests(broker.now());
        PinReason reason = reasonToKeep(given);
        if (reason != null) {
            hold.keep(reason);
        } else if (isThereAfterFlush()) {
            hold.release();
        }
    }

    /** Whether the client is still there: if writing to it fails, it ends at once, and gives its connection back. */
    private boolean isThereAfterFlush() {
        client.flush();
        return !machine.isClosed();
    }

    private @Nullable PinReason reasonToKeep(PooledServer given) {
        if (broker.isSessionMode()) {
            return PinReason.SESSION_MODE;
        }
        return given.tracker().transaction().isOpen() ? PinReason.TRANSACTION : state.pinReason();
    }

    /** The server connection is gone, and whatever was in it. */
    void serverLost() {
        PooledServer lost = hold.server();
        boolean hadState = hold.isPinned() || lost.tracker().transaction().isOpen();
        hold.lost();
        switch (machine.serverLost(!hadState, lost.exchange().hasAnswered())) {
            case ASK_ANEW -> requests.askAnew();
            case CONFIRM_CANCEL -> requests.cancelled();
            case REFUSE -> requests.refuse(Refusal.SERVER_UNAVAILABLE);
            case TELL_LOST -> {
                machine.rests(broker.now());
                answers.error(client, ProxyError.SERVER_UNAVAILABLE, LOST);
            }
            case TELL_TIMEOUT -> {
                machine.rests(broker.now());
                tellTimeout();
            }
            case TELL_TIMEOUT_AND_CLOSE -> {
                tellTimeout();
                client.hangUpWhenTold();
            }
            case CLOSE_WHEN_TOLD -> client.closeWhenTold("its server connection was lost");
            case CLOSE -> client.close("its server connection was lost");
        }
    }

    void kill(String why) {
        kill(why, KILLED);
    }

    /**
     * The client is closed, whatever it does. It is told where it waits for an answer, and an error can be the whole of it.
     *
     * @param advice for the client
     */
    void kill(String why, String advice) {
        boolean answerBegun = !hold.isEmpty() && hold.server().exchange().hasAnswered();
        switch (machine.kill(requests.packets().held().hasMessage(), answerBegun)) {
            case TELL -> {
                answers.error(client, ProxyError.KILLED, advice);
                if (!machine.isClosed()) {
                    client.hangUpWhenTold();
                }
            }
            case CLOSE_WHEN_TOLD -> client.closeWhenTold(why);
            case CLOSE, CUT_OFF -> client.cutOff(why);
        }
    }

    private void tellTimeout() {
        answers.error(client, ProxyError.QUERY_TIMEOUT, broker.timeoutAdvice());
    }
}
