package dev.comporta.proxy.relay;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.known.HandOver;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to a server connection: its requests are begun, cancelled or refused, or get a connection; {@link
 * SendingPath} continues from there. One for each client, for all its requests. Confined to its bucket's loop.
 */
final class RequestPath {
    private final PooledClient client;
    private final ConnectionBroker broker;
    private final ClientMachine machine;
    private final ClientState state;
    private final ServerHold hold;
    private final ProxyAnswers answers;
    private final RequestPackets packets;
    private final PreparedPath prepared;
    private final ConnectionTries tries;
    private final EntryPath entry;
    private final SendingPath sending;

    /** Times the present request; null while slow requests are not logged. */
    private @Nullable SlowTrace trace;

    RequestPath(
            PooledClient client,
            ConnectionBroker broker,
            ClientMachine machine,
            ClientState state,
            ServerHold hold,
            ProxyAnswers answers,
            RequestFormat format) {
        this.client = client;
        this.broker = broker;
        this.machine = machine;
        this.state = state;
        this.hold = hold;
        this.answers = answers;
        packets = new RequestPackets(client, broker, state);
        prepared = new PreparedPath(state, packets.held(), format);
        tries = new ConnectionTries(client, broker, answers);
        entry = new EntryPath(client, broker, machine, state, hold, answers, tries);
        sending = new SendingPath(
                client, broker, machine, state, hold, answers, packets, prepared, tries, this::attention);
    }

    EntryPath entry() {
        return entry;
    }

    PreparedPath prepared() {
        return prepared;
    }

    RequestPackets packets() {
        return packets;
    }

    @Nullable
    SlowTrace trace() {
        return trace;
    }

    /** Begins the first held message, while the client is idle. */
    void begin() {
        int type = packets.heldType();
        switch (type) {
            case PacketType.SQL_BATCH, PacketType.RPC, PacketType.TRANSACTION_MANAGER, PacketType.BULK_LOAD ->
                beginRequest();
            case PacketType.ATTENTION -> {
                // It arrived after the end of the response that it was meant to cancel.
                packets.drop();
                answers.attention(client.ctx());
            }
            default -> throw new ProtocolException("%s is no request".formatted(PacketType.name(type)));
        }
    }

    private void beginRequest() {
        HeldPackets held = packets.held();
        tries.begin();
        packets.packetArrived();
        trace = SlowTrace.begin(trace, client, broker.slowRequests(), packets.arrivedAt(), held.bytes());
        prepared.begin();
        if (!hold.isEmpty() && held.isCancelled() && !resetsKept()) {
            cancelHeld();
        } else if (hold.isEmpty() || prepared.mayNameHandle()) {
            machine.gathers();
            gathered();
        } else if (!isGivenBack()) {
            sendKept();
        }
    }

    /** Whether the request only unprepares handles, and was answered without asking the server. */
    private boolean isGivenBack() {
        if (!prepared.giveBack(hold.isEmpty() ? null : hold.server(), answers, client)) {
            return false;
        }
        packets.drop();
        machine.answersInstead(broker.now());
        client.givenBack();
        return true;
    }

    /** Sends the held request on the connection that the client has kept. */
    private void sendKept() {
        machine.hasKept();
        sending.begin(hold.server(), true);
    }

    /**
     * Requests a connection when the request is complete: a client that stalls must not keep one from others. Only a request
     * that is larger than the limit of held bytes is sent as it arrives.
     */
    void gathered() {
        HeldPackets held = packets.held();
        if (held.isCancelled() && !resetsKept()) {
            cancelHeld();
        } else if (held.isGivenUp() && !resetsKept()) {
            packets.dropCancelled();
            machine.rests(broker.now());
            answers.givenUp(client.ctx());
        } else if ((held.hasMessage() || held.isFull() || held.isCancelled()) && !isGivenBack()) {
            if (hold.isEmpty()) {
                HandOver.simplifyReset(held.first());
                ask();
            } else {
                sendKept();
            }
        }
    }

    /**
     * Whether the held request asks for a reset of the session that the client keeps. Then it is not dropped in any case: the
     * client would assume a reset session, and continue in the old one.
     */
    private boolean resetsKept() {
        return !hold.isEmpty() && HandOver.asksReset(packets.held().first());
    }

    /** Drops a packet of a request that was already refused or answered. */
    void skip(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        packet.release();
        if (!last) {
            packets.packetArrived();
            return;
        }
        machine.rests(broker.now());
        if (tries.isRefused()) {
            tries.tell();
        }
    }

    void attention(ClientMachine.OnAttention verdict) {
        switch (verdict) {
            case HOLD, RELEASE -> {}
            case ACKNOWLEDGE -> answers.attention(client.ctx());
            case ACKNOWLEDGE_AND_REST -> {
                machine.rests(broker.now());
                answers.attention(client.ctx());
            }
            case CANCEL_HELD -> {
                if (resetsKept()) {
                    client.close("it cancelled a part of a request that was to reset its session");
                } else {
                    cancelHeld();
                }
            }
            case LEAVE_QUEUE -> {
                if (!broker.cancel(client)) {
                    throw new IllegalStateException("queued, and not in the queue");
                }
                cancelHeld();
            }
            case DROP_HELD -> packets.drop();
            // Drivers mark the last packet instead, but a server accepts this too: it discards what has arrived so far.
            case CUT_SHORT -> hold.server().cutShort();
            case PASS_ON -> hold.server().sendAttention();
            case CANCEL_REFUSED -> cancelled();
        }
    }

    private void cancelHeld() {
        packets.dropCancelled();
        cancelled();
    }

    /** Answers a cancelled request that was not sent to a server. */
    void cancelled() {
        tries.forgetRefusal();
        machine.rests(broker.now());
        answers.cancelled(client.ctx());
    }

    private void ask() {
        machine.asks();
        state.wants(prepared.wanted());
        if (trace != null) {
            trace.asks(broker.now());
        }
        broker.acquire(client);
        if (!hold.isEmpty()) {
            use(hold.server());
        } else if (tries.isRefused()) {
            refuse();
        } else {
            machine.waits();
        }
    }

    /** The connection was lost before any of the request was sent: nothing has run, so another connection may be used. */
    void askAnew() {
        if (tries.isWorthAnother()) {
            ask();
        } else {
            refuse(Refusal.SERVER_UNAVAILABLE);
        }
    }

    void attached(PooledServer given) {
        ClientMachine.OnAnswer verdict = machine.answer();
        hold.take(given, client);
        if (trace != null) {
            trace.attached(broker.now());
        }
        switch (verdict) {
            case NOTE -> {}
            case LOGIN -> entry.on(given);
            case REQUEST -> use(given);
        }
    }

    void refused(Refusal why) {
        ClientMachine.OnAnswer verdict = machine.answer();
        tries.note(why);
        switch (verdict) {
            case NOTE -> {}
            case LOGIN -> entry.refuse();
            case REQUEST -> refuse();
        }
    }

    /** The connection meant for the client was lost, and the client is in no queue. */
    void lost() {
        switch (machine.answer()) {
            case NOTE -> broker.acquire(client);
            case LOGIN -> entry.ask();
            case REQUEST -> ask();
        }
    }

    void refuse(Refusal why) {
        tries.note(why);
        refuse();
    }

    /** A client does not read before it has sent its whole request: it gets the error then. */
    private void refuse() {
        boolean whole = packets.held().hasMessage();
        packets.drop();
        if (whole) {
            machine.rests(broker.now());
            tries.tell();
        } else {
            machine.refusesTheRest();
        }
    }

    private void use(PooledServer given) {
        if (given.isClosing()) {
            hold.discard();
            askAnew();
            return;
        }
        if (given.hasEndedIdle()) {
            hold.discard();
            ask(); // no limit: all of a server's connections end together when it fails over
            return;
        }
        if (!answers.fits(given)) {
            misfit();
            return;
        }
        machine.given();
        sending.begin(given, false);
    }

    /** The client or the connection has logged in to another server than the present one: that one is closed. */
    private void misfit() {
        if (tries.isOfToday()) {
            hold.discard();
            ask(); // no limit
            return;
        }
        boolean whole = packets.held().hasMessage();
        hold.releaseDirty(); // the session still has what the previous client left in it
        if (whole) {
            tries.noteOtherServer();
            tries.tell();
            client.hangUpWhenTold();
        } else {
            client.close("the server is another than the one that it has logged in to");
        }
    }

    /** The connection has the client's session state, or the statement; or preparing it has failed. */
    void prepared(boolean failed) {
        switch (sending.prepared(failed)) {
            case GOES_ON -> {}
            case ASK -> ask();
            case ASK_ANEW -> askAnew();
            case REFUSE -> refuse();
        }
    }

    /** The same for a request that was cancelled meanwhile. */
    void preparedAfterCancel(boolean failed) {
        sending.giveUp(failed);
        if (!machine.isClosed()) {
            cancelled();
        }
    }

    /** See {@link SendingPath#repeat}. */
    void repeat() {
        sending.repeat();
    }

    /** Takes a packet of the request that is being sent. */
    void send(ByteBuf packet) {
        sending.send(packet);
    }
}
