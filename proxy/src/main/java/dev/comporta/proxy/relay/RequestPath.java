package dev.comporta.proxy.relay;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.watch.RelayCounters.OwnMessage;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to the server: its requests get a server connection, which is brought into the client's
 * session state, and the requests are sent. One for each client, for all its requests. Confined to its bucket's loop.
 */
final class RequestPath {
    /** What the proxy has asked the server before the request may be sent. */
    private enum Asked {
        /** To reset the session and to apply the client's settings. */
        SETTINGS,
        /** To prepare a statement. */
        STATEMENT,
        /** Both, in this order. */
        STATEMENT_BEHIND_RESET
    }

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

    private Asked asked = Asked.SETTINGS;
    /** Follows the present request; null while slow requests are not logged. */
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

    /** Takes up what is held first, while the client rests. */
    void begin() {
        int type = packets.heldType();
        switch (type) {
            case PacketType.SQL_BATCH, PacketType.RPC, PacketType.TRANSACTION_MANAGER, PacketType.BULK_LOAD ->
                beginRequest();
            case PacketType.ATTENTION -> {
                // It crossed the end of the response that it meant to cancel.
                packets.drop();
                answers.attention(client.ctx());
            }
            default -> throw new ProtocolException("%s is no request".formatted(PacketType.name(type)));
        }
    }

    private void beginRequest() {
        HeldPackets held = packets.held();
        tries.begin();
        packets.heard();
        trace = SlowTrace.begin(trace, client, broker.slowRequests(), packets.heardAt(), held.bytes());
        prepared.begin();
        if (!hold.isEmpty() && held.isCancelled() && !HandOver.asksReset(held.first())) {
            cancelHeld();
        } else if (hold.isEmpty() || prepared.mayNameHandle()) {
            machine.gathers();
            gathered();
        } else if (!isGivenBack()) {
            sendKept();
        }
    }

    /** Whether the request gives back handles, and the server need not be asked. */
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
        guarded(() -> {
            packets.read(hold.server());
            send(HandOver.AS_IT_IS);
        });
    }

    /**
     * Nobody gets a server connection for half a request: a client that stalls would keep it from all others. Only a request
     * that is larger than what is held of it is sent on as it comes.
     */
    void gathered() {
        HeldPackets held = packets.held();
        if (held.isCancelled()) {
            cancelHeld();
        } else if (held.isGivenUp()) {
            packets.dropCancelled();
            machine.rests(broker.now());
            answers.givenUp(client.ctx());
        } else if ((held.hasMessage() || held.isFull()) && !isGivenBack()) {
            if (hold.isEmpty()) {
                HandOver.simplifyReset(held.first());
                ask();
            } else {
                sendKept();
            }
        }
    }

    /** Takes a packet of a request that was refused already, or answered. */
    void skip(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        packet.release();
        if (!last) {
            packets.heard();
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
            case CANCEL_HELD -> cancelHeld();
            case LEAVE_QUEUE -> {
                if (!broker.cancel(client)) {
                    throw new IllegalStateException("queued, and not in the queue");
                }
                cancelHeld();
            }
            case DROP_HELD -> packets.drop();
            // Drivers mark the last packet instead, but a server takes this too: it forgets what has come so far.
            case CUT_SHORT -> hold.server().cutShort();
            case PASS_ON -> hold.server().sendAttention();
            case CANCEL_REFUSED -> cancelled();
        }
    }

    private void cancelHeld() {
        packets.dropCancelled();
        cancelled();
    }

    /** No server has seen the request. */
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

    /** The connection was lost before any of the request was sent: so nothing of it has run, and it can have another. */
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

    /** The connection that the client was about to be given is gone, and the client is in no queue. */
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

    /** A client does not listen before it has sent its whole request: it gets the error then. */
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
            ask(); // as often as there are such: all of a server's connections end together when it fails over
            return;
        }
        machine.given();
        guarded(() -> {
            packets.read(given);
            send(packets.plan(given));
        });
    }

    /** What goes wrong here is this client's, not the one's that gave the connection back, and not the server's. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException broken) {
            client.exceptionCaught(client.ctx(), broken);
        }
    }

    /** Sends the held request, which was read, with what it needs before it. */
    private void send(HandOver plan) {
        PooledServer given = hold.server();
        switch (prepared.way(given, plan, hold.isPinned())) {
            case AS_IT_IS -> sendOrApply(given, plan);
            case AS_TEXT -> {
                if (plan != HandOver.APPLY_FIRST) {
                    prepared.putText(given, client.ctx().alloc());
                    packets.replaced();
                }
                sendOrApply(given, plan);
            }
            case PREPARE_FIRST -> {
                if (plan == HandOver.APPLY_FIRST) {
                    sendOrApply(given, plan);
                } else {
                    asked = plan == HandOver.AS_IT_IS ? Asked.STATEMENT : Asked.STATEMENT_BEHIND_RESET;
                    given.questions().prepare(prepared.toPrepare(), plan != HandOver.AS_IT_IS, client);
                    machine.prepares();
                }
            }
            case REFUSE -> answerInstead(prepared.refusal());
        }
    }

    private void sendOrApply(PooledServer given, HandOver plan) {
        switch (plan) {
            case AS_IT_IS -> sendHeld(false);
            case RESET_WITH_REQUEST -> sendHeld(true);
            case APPLY_FIRST -> {
                asked = Asked.SETTINGS;
                if (!state.settings().equals(SessionState.AS_LOGGED_IN)) {
                    broker.counters().stateReplays++;
                }
                given.questions()
                        .ask(OwnMessage.SETTINGS, given.session().sqlAfterReset(state.settings()), true, client);
                machine.prepares();
            }
        }
    }

    /** Nothing is sent: the connection goes back, where it is not the client's to keep. */
    private void answerInstead(HandleRefusal refused) {
        packets.drop();
        if (!hold.isPinned()) {
            hold.releaseDirty(); // what the client before has left in it is still there
        }
        machine.answersInstead(broker.now());
        answers.refused(client.ctx(), refused);
    }

    /** The connection is in the client's session state, or has the statement; or could not be brought to it. */
    void prepared(boolean failed) {
        switch (asked) {
            case SETTINGS -> applied(failed);
            case STATEMENT -> {
                prepared.count(failed);
                use(hold.isPinned());
            }
            case STATEMENT_BEHIND_RESET -> {
                if (failed) {
                    sendOrApply(hold.server(), HandOver.APPLY_FIRST); // which of the two went wrong is not told
                } else {
                    prepared.count(false);
                    applied(false);
                }
            }
        }
    }

    private void applied(boolean failed) {
        String complaint = hold.server().tracker().complaint();
        if (!failed) {
            hold.server().session().broughtInto(state.settings());
            use(hold.isPinned());
        } else if (giveBackUnprepared()) {
            tries.note("the server no longer takes what this session has set (%s): %s Connect again."
                    .formatted(state.settings().toSql(), complaint));
            refuse();
        } else {
            askAnew();
        }
    }

    /** @param kept whether the connection is the client's to keep, whatever becomes of its lease */
    private void use(boolean kept) {
        if (kept || broker.mayUse(hold.server())) {
            guarded(() -> send(HandOver.AS_IT_IS));
        } else {
            hold.release();
            ask();
        }
    }

    void preparedInVain(boolean failed) {
        if (hold.isPinned()) {
            cancelled();
            return;
        }
        if (failed) {
            giveBackUnprepared();
        } else {
            if (asked != Asked.STATEMENT) {
                hold.server().session().broughtInto(state.settings());
            }
            hold.release();
        }
        cancelled();
    }

    /** @return whether the server has said why */
    private boolean giveBackUnprepared() {
        if (hold.server().tracker().complaint().isEmpty()) {
            hold.discard(); // it did not say that it has reset the session
            return false;
        }
        hold.releaseDirty(); // the next client must not find the half of it
        return true;
    }

    private void sendHeld(boolean addReset) {
        PooledServer given = hold.server();
        try {
            prepared.keep(given);
            packets.begin(given, addReset);
            prepared.sent(given);
            machine.sends(broker.now());
            while (machine.isSending() && !packets.held().isEmpty()) {
                sendNext();
            }
            if (machine.isResponding() && !packets.held().isEmpty() && packets.heldType() == PacketType.ATTENTION) {
                sendNext();
            }
            packets.reading(given.isWritable());
            given.flush();
        } catch (RuntimeException broken) {
            client.exceptionCaught(client.ctx(), broken); // the request makes no sense; not the server's fault
        }
    }

    /** The server does not know a handle that it has given: nothing has run, and the statement's text is sent instead. */
    void repeat() {
        machine.repeats();
        guarded(() -> {
            prepared.repeat(hold.server(), client.ctx().alloc());
            packets.replaced();
            sendHeld(false);
        });
    }

    /** Sends a held packet; or cancels, where the attention came while nobody could act on it. */
    private void sendNext() {
        ByteBuf packet = packets.held().remove();
        if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            packet.release();
            attention(machine.attention());
        } else {
            send(packet);
        }
    }

    /** Takes a packet. */
    void send(ByteBuf packet) {
        if (packets.send(hold.server(), packet)) {
            machine.sent();
        }
    }
}
