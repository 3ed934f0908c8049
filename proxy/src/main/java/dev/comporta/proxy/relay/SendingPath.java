package dev.comporta.proxy.relay;

import dev.comporta.proxy.relay.known.HandOver;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.response.HandleRefusal;
import dev.comporta.proxy.relay.response.TransactionTracker;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.watch.RelayCounters.OwnMessage;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * A request's way over its client's server connection: the client's session state is applied, or the statement prepared that
 * the request executes, and the request is sent. One for each client, for all its requests. Confined to its bucket's loop.
 */
final class SendingPath {
    /** What the proxy asked the server to do before the request. */
    private enum Asked {
        /** A reset of the session, and the client's settings. */
        SETTINGS,
        /** Preparing a statement. */
        STATEMENT,
        /** Both, in this order. */
        STATEMENT_BEHIND_RESET
    }

    /** How a request continues when the server has answered the proxy's own request. */
    enum Next {
        /** It is sent, or another own request is. */
        GOES_ON,
        /** It needs another connection: this one's lease has expired. */
        ASK,
        /** It needs another connection, if that is worth trying: this one is lost. */
        ASK_ANEW,
        /** It can't be sent; the reason is noted. */
        REFUSE
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
    private final Consumer<ClientMachine.OnAttention> attention;

    private Asked asked = Asked.SETTINGS;

    /** @param attention handles an attention that was held */
    SendingPath(
            PooledClient client,
            ConnectionBroker broker,
            ClientMachine machine,
            ClientState state,
            ServerHold hold,
            ProxyAnswers answers,
            RequestPackets packets,
            PreparedPath prepared,
            ConnectionTries tries,
            Consumer<ClientMachine.OnAttention> attention) {
        this.client = client;
        this.broker = broker;
        this.machine = machine;
        this.state = state;
        this.hold = hold;
        this.answers = answers;
        this.packets = packets;
        this.prepared = prepared;
        this.tries = tries;
        this.attention = attention;
    }

    /**
     * Reads the held request, and sends it after what it needs.
     *
     * @param kept whether the client has kept the connection, so that nothing is needed
     */
    void begin(PooledServer given, boolean kept) {
        guarded(() -> {
            packets.read(given);
            send(kept ? HandOver.AS_IT_IS : packets.plan(given));
        });
    }

    /** A failure here is this client's, not that of the client that released the connection, and not the server's. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException broken) {
            client.exceptionCaught(client.ctx(), broken);
        }
    }

    /** Sends the held request, which was read, after what it needs. */
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

    /** Nothing is sent: the connection is released, unless the client keeps it. */
    private void answerInstead(HandleRefusal refused) {
        packets.drop();
        if (!hold.isPinned()) {
            hold.releaseDirty(); // the session still has what the previous client left in it
        }
        machine.answersInstead(broker.now());
        answers.refused(client.ctx(), refused);
    }

    /** The connection has the client's session state, or the statement; or preparing it has failed. */
    Next prepared(boolean failed) {
        return switch (asked) {
            case SETTINGS -> applied(failed);
            case STATEMENT -> {
                prepared.count(failed);
                if (closedForItsTransaction(failed)) {
                    yield Next.GOES_ON;
                }
                yield use(hold.isPinned());
            }
            case STATEMENT_BEHIND_RESET -> {
                if (failed) {
                    sendOrApply(hold.server(), HandOver.APPLY_FIRST); // it is unknown which of the two failed
                    yield Next.GOES_ON;
                }
                prepared.count(false);
                yield applied(false);
            }
        };
    }

    /**
     * An error while preparing a statement, such as a deadlock, may have ended the client's transaction without the client
     * knowing: its next requests would run outside of it.
     */
    private boolean closedForItsTransaction(boolean failed) {
        PooledServer given = hold.server();
        TransactionTracker transaction = given.tracker().transaction();
        boolean surelyOpen = transaction.isOpen() && given.session().habits() == ServerHabits.TELLS;
        if (!failed || !transaction.wasOpenAtFirst() || surelyOpen) {
            return false;
        }
        client.close("its transaction may have ended by an error in a statement that was prepared for it");
        return true;
    }

    private Next applied(boolean failed) {
        String complaint = hold.server().tracker().complaint();
        if (!failed) {
            hold.server().session().broughtInto(state.settings());
            return use(hold.isPinned());
        }
        if (!giveBackUnprepared()) {
            return Next.ASK_ANEW;
        }
        tries.note("the server no longer accepts the settings of this session (%s): %s Connect again."
                .formatted(state.settings().toSql(), complaint));
        return Next.REFUSE;
    }

    /** @param kept whether the client keeps the connection, even if its lease has expired */
    private Next use(boolean kept) {
        if (kept || broker.mayUse(hold.server())) {
            guarded(() -> send(HandOver.AS_IT_IS));
            return Next.GOES_ON;
        }
        hold.release();
        return Next.ASK;
    }

    /** The same for a request that was cancelled meanwhile: the connection is released, unless the client keeps it. */
    void giveUp(boolean failed) {
        if (hold.isPinned()) {
            closedForItsTransaction(failed);
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
    }

    /** @return whether the server has sent an error */
    private boolean giveBackUnprepared() {
        if (hold.server().tracker().complaint().isEmpty()) {
            hold.discard(); // it did not acknowledge the reset
            return false;
        }
        hold.releaseDirty(); // the settings may be applied in part
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
            client.exceptionCaught(client.ctx(), broken); // the request is invalid; not the server's fault
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

    /** Sends a held packet, or handles a held attention. */
    private void sendNext() {
        ByteBuf packet = packets.held().remove();
        if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            packet.release();
            attention.accept(machine.attention());
        } else {
            send(packet);
        }
    }

    /** Sends a packet. Takes it. */
    void send(ByteBuf packet) {
        if (packets.send(hold.server(), packet)) {
            machine.sent();
        }
    }
}
