package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a client gets for its request: the server's packets, after which the connection is kept or let go; or an error,
 * because there is no connection, or it was lost. Confined to its bucket's loop.
 */
final class ClientResponse {
    /** Not "try again": that could do twice what was done. */
    private static final String LOST = "the connection to the server was lost before it answered. The request may have"
            + " taken effect or not: look before you send it again.";

    private final ClientSession client;
    private final ClientRequest request;
    private final ClientHost host;
    private final ProxyAnswers answers;
    private final ServerHold hold;
    private @Nullable ProxyError refusal;
    private String advice = "";

    ClientResponse(ClientSession client, ClientRequest request, ClientHost host, ProxyAnswers answers) {
        this.client = client;
        this.request = request;
        this.host = host;
        this.answers = answers;
        hold = request.server();
    }

    /** It has taken too long. */
    void timeOut() {
        if (hold.server().hasAnswered()) {
            // Part of the response is out, perhaps half a row: no error can be put behind that.
            client.close("query_timeout, in the middle of the response");
            return;
        }
        request.phase(RequestPhase.TIMED_OUT);
        hold.server().sendAttention();
    }

    /** A client does not listen before it has sent its whole request: it is told then. */
    void refuse(Refusal why) {
        refuse(ProxyError.of(why), host.advice(why));
    }

    void refuse(ProxyError why, String whatToDo) {
        boolean whole = request.isWhole();
        refusal = why;
        advice = whatToDo;
        request.dropHeld();
        if (whole) {
            tellRefusal();
        } else {
            request.phase(RequestPhase.REFUSED);
        }
    }

    /** Takes a packet of a request that was refused already, or answered. */
    void skip(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        packet.release();
        if (!last) {
            request.heard();
            return;
        }
        if (refusal != null) {
            tellRefusal();
        } else {
            request.rest();
            client.requestEnded();
        }
    }

    /** The client cancels what it still sends, and was answered. */
    void attentionAfterAnswer() {
        request.rest();
        answers.attention(client.ctx());
        client.requestEnded();
    }

    /** A request that no server has seen was given up by its own last packet. */
    void givenUp() {
        request.rest();
        answers.givenUp(client.ctx());
        client.requestEnded();
    }

    private void tellRefusal() {
        ProxyError why = Objects.requireNonNull(refusal);
        refusal = null;
        request.rest();
        answers.error(client.ctx(), why, advice);
        client.requestEnded();
    }

    void tell(Refusal why) {
        answers.error(client.ctx(), ProxyError.of(why), host.advice(why));
    }

    /** A request that no server has seen was cancelled. */
    void cancelled() {
        refusal = null;
        request.rest();
        answers.cancelled(client.ctx());
        client.requestEnded();
    }

    /** Takes a packet for the client. */
    void forward(ByteBuf packet) {
        if (request.phase() == RequestPhase.TIMED_OUT) {
            packet.release();
            return;
        }
        client.write(packet);
        if (!client.isWritable()) {
            hold.server().reading(false);
        }
    }

    void flush() {
        client.flush();
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    void clientReads(boolean on) {
        if (!hold.isEmpty()) {
            hold.server().reading(on);
        }
    }

    /** Back-pressure: a server that does not read stops its client from being read. */
    void serverReads(boolean on) {
        request.reading(on);
    }

    /** An integer came back with the response. */
    void returned(int ordinal, long value) {
        request.session().returned(hold.server().inspector(), ordinal, value);
    }

    void ended(ServerSession given) {
        if (request.phase() == RequestPhase.SENDING) {
            answeredEarly(given);
            return;
        }
        RequestInspector sent = given.inspector();
        if (given.isResetUnproven() || (sent.isIgnored() && given.isSpent())) {
            giveUp();
            return;
        }
        given.connection().countQuery(host.now() - request.since());
        boolean certain = given.tracker().errors() == 0
                && request.phase() == RequestPhase.RESPONDING
                && !given.knowledge().isLost();
        request.session().after(sent, given, certain);
        if (request.phase() == RequestPhase.TIMED_OUT) {
            answers.error(client.ctx(), ProxyError.QUERY_TIMEOUT, host.timeoutAdvice());
        }
        if (given.habits().mustAsk(sent, given.tracker(), request.session().settings())) {
            request.phase(RequestPhase.PROBING);
            given.probe(failed -> probed(given, failed));
            return;
        }
        settle(given);
    }

    /**
     * What the server makes of the rest is anybody's guess; the client has its answer, an error most likely. It is heard out
     * before it is hung up on, where it must be: otherwise it could lose the answer.
     */
    private void answeredEarly(ServerSession given) {
        client.flush();
        request.session().bulkEnded();
        boolean hadState = reasonToKeep(given) != null;
        hold.discard();
        request.phase(RequestPhase.ANSWERED_EARLY);
        if (hadState) {
            client.leave("the server answered before the request was complete, and its session is lost");
        }
        request.heard();
        request.reading(true);
    }

    /** Nobody knows what became of the session that the request was to reset, or to leave alone. */
    private void giveUp() {
        if (hold.isPinned()) {
            client.closeWhenTold("what became of its session is not known");
            return;
        }
        client.flush();
        hold.discard();
        request.rest();
        client.requestEnded();
    }

    private void probed(ServerSession given, boolean failed) {
        if (failed) {
            request.session().keepUntilReset(PinReason.NOT_UNDERSTOOD);
        }
        settle(given);
    }

    /** The response is over: keep the connection, or let it go. */
    private void settle(ServerSession given) {
        request.rest();
        PinReason reason = reasonToKeep(given);
        if (reason != null) {
            hold.keep(reason);
        } else {
            client.flush();
            hold.release(given.sessionState());
        }
        client.requestEnded();
    }

    private @Nullable PinReason reasonToKeep(ServerSession given) {
        if (host.isSessionMode()) {
            return PinReason.SESSION_MODE;
        }
        return given.tracker().inTransaction()
                ? PinReason.TRANSACTION
                : request.session().pinReason();
    }

    /** The server connection is gone, and whatever was in it. */
    void serverLost() {
        ServerSession lost = hold.server();
        boolean hadState = hold.isPinned() || lost.tracker().inTransaction();
        hold.lost();
        switch (request.phase()) {
            case PREPARING -> {
                if (!request.attachAnew(RequestPhase.QUEUED)) {
                    refuse(Refusal.SERVER_UNAVAILABLE);
                }
            }
            case SENDING, RESPONDING -> {
                if (hadState || lost.hasAnswered()) {
                    client.close("its server connection was lost in the middle of it");
                } else if (request.phase() == RequestPhase.RESPONDING) {
                    request.rest();
                    answers.error(client.ctx(), ProxyError.SERVER_UNAVAILABLE, LOST);
                    client.requestEnded();
                } else {
                    refuse(Refusal.SERVER_UNAVAILABLE);
                }
            }
            case TIMED_OUT -> {
                answers.error(client.ctx(), ProxyError.QUERY_TIMEOUT, host.timeoutAdvice());
                if (hadState) {
                    client.closeWhenTold("query_timeout, and the server did not take the cancel");
                } else {
                    request.rest();
                    client.requestEnded();
                }
            }
            case PREPARING_CANCELLED -> cancelled();
            // All that it was told is complete.
            case RESTING -> client.closeWhenTold("its server connection was lost");
            case ENTERING, CANCELLING, PROBING -> client.close("its server connection was lost");
            case GATHERING, QUEUED, REFUSED, ANSWERED_EARLY, CLOSED ->
                throw new IllegalStateException("lost a connection while " + request.phase());
        }
    }
}
