package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.watch.RelayCounters.OwnMessage;

/**
 * Answers the login of an admitted client; in session mode the client gets the server connection that it keeps before.
 * Confined to its bucket's loop.
 */
record EntryPath(
        PooledClient client,
        ConnectionBroker broker,
        ClientMachine machine,
        ClientState state,
        ServerHold hold,
        ProxyAnswers answers,
        ConnectionTries tries) {
    void begin() {
        if (broker.isSessionMode()) {
            ask();
        } else {
            answer();
        }
    }

    void ask() {
        machine.asksToEnter();
        broker.acquire(client);
        if (!hold.isEmpty()) {
            on(hold.server());
        } else if (tries.isRefused()) {
            refuse();
        } else {
            machine.waitsToEnter();
        }
    }

    /** The client got this connection. */
    void on(PooledServer given) {
        if (given.isClosing()) {
            hold.discard();
            if (tries.isWorthAnother()) {
                ask();
            } else {
                tries.note(Refusal.SERVER_UNAVAILABLE);
                refuse();
            }
            return;
        }
        if (!answers.fits(given)) {
            misfit();
            return;
        }
        hold.keep(PinReason.SESSION_MODE);
        if (given.connection().changedHands()) {
            machine.entersOnUsed();
            given.questions().ask(OwnMessage.SETTINGS, given.session().sqlAfterReset(state.settings()), true, client);
        } else {
            answer();
        }
    }

    /** The terms differ, see {@link RequestPath}: the client or the connection has logged in to another server. */
    private void misfit() {
        if (tries.isOfToday()) {
            hold.discard();
            ask();
        } else {
            hold.releaseDirty();
            tries.noteOtherServer();
            refuse();
        }
    }

    /** The connection was reset, or could not be. */
    void reset(boolean failed) {
        if (failed) {
            client.close("its server connection could not be reset");
            return;
        }
        hold.server().session().broughtInto(state.settings());
        if (broker.mayUse(hold.server())) {
            answer();
        } else {
            hold.release();
            ask();
        }
    }

    private void answer() {
        machine.rests(broker.now());
        answers.login(client.ctx());
    }

    void refuse() {
        tries.tell();
        client.hangUp();
    }
}
