package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to the server: its login and its requests get a server connection, which is brought into the client's
 * session state, and the requests are sent. One for each client, for all its requests. Confined to its bucket's loop.
 */
final class RequestPath {
    /** A server that loses its connections one after the other will not be better at the next try. */
    private static final int MOST_ANEW = 3;

    private final PooledClient client;
    private final ConnectionBroker broker;
    private final ClientMachine machine;
    private final ClientState state;
    private final ServerHold hold;
    private final ProxyAnswers answers;
    private final RequestPackets packets;

    /** How often the present request was given a connection that was lost before any of it was sent. */
    private int lostBeforeSending;
    /** Why the client gets no connection. Told when the call that asked has returned, and its request has come. */
    private @Nullable ProxyError refusal;

    private String advice = "";

    RequestPath(
            PooledClient client,
            ConnectionBroker broker,
            ClientMachine machine,
            ClientState state,
            ServerHold hold,
            ProxyAnswers answers) {
        this.client = client;
        this.broker = broker;
        this.machine = machine;
        this.state = state;
        this.hold = hold;
        this.answers = answers;
        packets = new RequestPackets(client, broker, state);
    }

    RequestPackets packets() {
        return packets;
    }

    /** In session mode a client gets the connection that it keeps before its login is answered. */
    void enter() {
        if (broker.isSessionMode()) {
            askToEnter();
        } else {
            answerLogin();
        }
    }

    private void askToEnter() {
        machine.asksToEnter();
        broker.acquire(client);
        if (!hold.isEmpty()) {
            enterOn(hold.server());
        } else if (refusal != null) {
            refuseLogin();
        } else {
            machine.waitsToEnter();
        }
    }

    private void enterOn(PooledServer given) {
        if (given.isClosing()) {
            hold.discard();
            if (isWorthAnotherTry()) {
                askToEnter();
            } else {
                note(Refusal.SERVER_UNAVAILABLE);
                refuseLogin();
            }
            return;
        }
        hold.keep(PinReason.SESSION_MODE);
        if (given.connection().changedHands()) {
            machine.entersOnUsed();
            given.questions().ask(given.session().sqlAfterReset(state.settings()), true, client);
        } else {
            answerLogin();
        }
    }

    /** The connection was reset, or could not be. */
    void resetForLogin(boolean failed) {
        if (failed) {
            client.close("its server connection could not be reset");
            return;
        }
        hold.server().session().broughtInto(state.settings());
        if (broker.mayUse(hold.server())) {
            answerLogin();
        } else {
            hold.release(state.settings());
            askToEnter();
        }
    }

    private void answerLogin() {
        machine.rests(broker.now());
        answers.login(client.ctx());
    }

    private void refuseLogin() {
        tellRefusal();
        client.close("it got no server connection");
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
        lostBeforeSending = 0;
        packets.heard();
        if (hold.isEmpty()) {
            machine.gathers();
            gathered();
        } else if (held.isCancelled() && !HandOver.asksReset(held.first())) {
            cancelHeld();
        } else {
            sendHeld(false);
        }
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
        } else if (held.hasMessage() || held.isFull()) {
            HandOver.simplifyReset(held.first());
            ask();
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
        if (refusal != null) {
            tellRefusal();
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
        refusal = null;
        machine.rests(broker.now());
        answers.cancelled(client.ctx());
    }

    private void ask() {
        machine.asks();
        broker.acquire(client);
        if (!hold.isEmpty()) {
            use(hold.server());
        } else if (refusal != null) {
            refuse();
        } else {
            machine.waits();
        }
    }

    /** The connection was lost before any of the request was sent: so nothing of it has run, and it can have another. */
    void askAnew() {
        if (isWorthAnotherTry()) {
            ask();
        } else {
            refuse(Refusal.SERVER_UNAVAILABLE);
        }
    }

    private boolean isWorthAnotherTry() {
        return ++lostBeforeSending <= MOST_ANEW;
    }

    void attached(PooledServer given) {
        ClientMachine.OnAnswer verdict = machine.answer();
        hold.take(given, client);
        switch (verdict) {
            case NOTE -> {}
            case LOGIN -> enterOn(given);
            case REQUEST -> use(given);
        }
    }

    void refused(Refusal why) {
        ClientMachine.OnAnswer verdict = machine.answer();
        note(why);
        switch (verdict) {
            case NOTE -> {}
            case LOGIN -> refuseLogin();
            case REQUEST -> refuse();
        }
    }

    /** The connection that the client was about to be given is gone, and the client is in no queue. */
    void lost() {
        switch (machine.answer()) {
            case NOTE -> broker.acquire(client);
            case LOGIN -> askToEnter();
            case REQUEST -> ask();
        }
    }

    private void note(Refusal why) {
        refusal = ProxyError.of(why);
        advice = broker.advice(why);
    }

    void refuse(Refusal why) {
        note(why);
        refuse();
    }

    /** A client does not listen before it has sent its whole request: it gets the error then. */
    private void refuse() {
        boolean whole = packets.held().hasMessage();
        packets.drop();
        if (whole) {
            machine.rests(broker.now());
            tellRefusal();
        } else {
            machine.refusesTheRest();
        }
    }

    private void tellRefusal() {
        ProxyError why = Objects.requireNonNull(refusal);
        refusal = null;
        answers.error(client.ctx(), why, advice);
    }

    private void use(PooledServer given) {
        if (given.isClosing()) {
            hold.discard();
            askAnew();
            return;
        }
        machine.given();
        try {
            switch (packets.plan(given)) {
                case AS_IT_IS -> sendHeld(false);
                case RESET_WITH_REQUEST -> sendHeld(true);
                case APPLY_FIRST -> {
                    given.questions().ask(given.session().sqlAfterReset(state.settings()), true, client);
                    machine.prepares();
                }
            }
        } catch (RuntimeException broken) {
            client.exceptionCaught(client.ctx(), broken); // not the one's that gave the connection back
        }
    }

    /** The connection is in the client's session state, or could not be brought into it. */
    void prepared(boolean failed) {
        String complaint = hold.server().tracker().complaint();
        if (!failed) {
            hold.server().session().broughtInto(state.settings());
            if (broker.mayUse(hold.server())) {
                sendHeld(false);
            } else {
                hold.release(state.settings());
                ask();
            }
        } else if (giveBackUnprepared()) {
            refusal = ProxyError.SERVER_UNAVAILABLE;
            advice = "the server no longer takes what this session has set (%s): %s Connect again."
                    .formatted(state.settings().toSql(), complaint);
            refuse();
        } else {
            askAnew();
        }
    }

    void preparedInVain(boolean failed) {
        if (failed) {
            giveBackUnprepared();
        } else {
            hold.server().session().broughtInto(state.settings());
            hold.release(state.settings());
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
            packets.begin(given, addReset);
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
