package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.SlowRequest;
import org.jspecify.annotations.Nullable;

/**
 * Handles the end of the response to a client's request: keeps or releases the server connection, or reports its loss to the
 * client. One for each client, for all its requests. Confined to its bucket's loop.
 */
record ResponsePath(
        PooledClient client,
        ConnectionBroker broker,
        ClientMachine machine,
        ClientState state,
        ServerHold hold,
        ProxyAnswers answers,
        RequestPath requests) {
    /** Not "try again": the request could then run twice. */
    private static final String LOST = "the connection to the server was lost before it answered. The request may have"
            + " taken effect or not: look before you send it again.";

    private static final String KILLED =
            "an operator has ended this session; an open transaction is rolled back. Connect again.";

    /** The request has exceeded its timeout. */
    void timeOut() {
        if (hold.server().exchange().hasAnswered()) {
            // A part of the response was sent, possibly half a row: no error can follow that.
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
                } else if (given.inspector().isPerhapsRun() && !hold.isPinned()) {
                    tellIfTimedOut(given, verdict);
                    discard();
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
            // Not probed: PostgreSQL would take the probe as the transaction's first query, which fixes its snapshot.
            given.tracker().transaction().begunUnreported();
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

    /** Releases the connection, unless there is still a reason to keep it. */
    void settleKept() {
        if (!hold.isEmpty()) {
            settle(hold.server());
        }
    }

    /**
     * The server has answered before the request was complete, probably by an error; how it takes the rest is unknown. A
     * client that must be closed is closed after its request was read to the end: otherwise it could lose the response.
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
        requests.packets().packetArrived();
        requests.packets().reading(true);
    }

    /** The state of the session that the request was to reset, or to leave alone, is unknown. */
    private void giveUp(PooledServer given, ClientMachine.OnResponseEnded verdict) {
        tellIfTimedOut(given, verdict);
        if (hold.isPinned() || given.exchange().mayHaveLeftSomething(state.settings())) {
            client.closeWhenTold("the state of its server session is unknown");
            return;
        }
        discard();
    }

    /** Closes the server connection, whose state is unknown: the client has nothing in it that it could miss. */
    private void discard() {
        hold.discard();
        machine.rests(broker.now());
        client.flush();
    }

    /** The probe was answered. */
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

    /** Whether the client is still connected: if writing to it fails, it ends at once, and returns its connection. */
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

    /** The server connection was lost, with everything in it. */
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
     * Closes the client, whatever it does. It gets an error if it waits for a response and has received no part of it.
     *
     * @param advice the text for the client
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
