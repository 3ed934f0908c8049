package dev.comporta.proxy.relay;

import io.netty.channel.ChannelFuture;

/**
 * Closes a client that must leave: when no request or transaction of it runs, and it has read everything that it was sent.
 * Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
final class Parting {
    private enum Wish {
        NONE,
        AT_TRANSACTION_END,
        AT_REST
    }

    private final PooledClient client;
    private final ConnectionBroker broker;
    private final ClientMachine machine;
    private final ClientState state;
    private final ServerHold hold;

    private Wish wish = Wish.NONE;
    private String why = "";
    /** Whether a transaction was open when the latest request began. */
    private boolean wasInTransaction;
    /** Whether implicit transactions were on when the latest request began. */
    private boolean wasImplicit;
    /**
     * Whether the client has turned implicit transactions off. JDBC pools do so between a commit and the connection's return,
     * and report a failure of it to the application, whose transaction was committed.
     */
    private boolean turnsImplicitOff;
    /** When the client was seen to have read everything that it was sent; {@link Long#MAX_VALUE} while it has not. */
    private long tookAllAt = Long.MIN_VALUE;

    Parting(PooledClient client, ConnectionBroker broker, ClientMachine machine, ClientState state, ServerHold hold) {
        this.client = client;
        this.broker = broker;
        this.machine = machine;
        this.state = state;
        this.hold = hold;
    }

    void requestBegins() {
        wasInTransaction = hold.isInTransaction();
        wasImplicit = isImplicit();
    }

    private boolean isImplicit() {
        return state.settings().implicitTransactionsMayBeOn();
    }

    /** Closes the client as soon as it is idle outside of a transaction, possibly now. */
    void leave(String reason) {
        if (wish != Wish.AT_REST) {
            wish = Wish.AT_REST;
            why = reason;
            ifDue();
        }
    }

    /**
     * The bucket drains: closes the client at the first moment that the pace allows.
     *
     * @return whether it is closed
     */
    boolean depart(String reason, DrainPace pace, long now) {
        switch (pace.moment(now)) {
            case SILENCE -> {}
            case TRANSACTION_END -> {
                if (wish == Wish.NONE) {
                    wish = Wish.AT_TRANSACTION_END;
                    why = reason;
                }
            }
            case ANSWER -> leave(reason);
        }
        if ((mayLeave() || hasOnlyBegun()) && isSilentFor(pace.silence(now), now)) {
            closeIfAllIsTaken(reason);
        }
        return machine.isClosed();
    }

    /** Whether its transaction has done nothing. Some drivers begin the next one with each commit, and are never outside. */
    private boolean hasOnlyBegun() {
        return machine.isResting()
                && hold.isInTransaction()
                && !wasInTransaction
                && hold.server().inspector().onlyBeginsTransaction();
    }

    private boolean isSilentFor(long nanos, long now) {
        return tookAllAt != Long.MAX_VALUE && now - Math.max(machine.since(), tookAllAt) >= nanos;
    }

    /** If the client has not read all of its last response, its silence begins when it has. */
    private void closeIfAllIsTaken(String reason) {
        ChannelFuture told = nothing();
        if (told.isDone()) {
            client.close(reason);
            return;
        }
        tookAllAt = Long.MAX_VALUE;
        told.addListener(_ -> tookAllAt = broker.now());
    }

    /** The client is idle now. One that reads slowly must not lose the end of its last response. */
    void ifDue() {
        if (wasImplicit && !isImplicit()) {
            turnsImplicitOff = true;
        }
        boolean due = switch (wish) {
            case NONE -> false;
            case AT_TRANSACTION_END -> hasEndedTransaction();
            case AT_REST -> true;
        };
        if (due && mayLeave()) {
            nothing().addListener(_ -> {
                if (mayLeave()) { // no request has arrived meanwhile
                    client.close(why);
                }
            });
        }
    }

    /** Whether the latest request ended a transaction, or implicit transactions if the client turns them off itself. */
    private boolean hasEndedTransaction() {
        return wasInTransaction ? !(turnsImplicitOff && isImplicit()) : wasImplicit && !isImplicit();
    }

    private boolean mayLeave() {
        return machine.isResting() && !hold.isInTransaction();
    }

    /** Completes when everything written before has been handed to the network. */
    private ChannelFuture nothing() {
        return client.ctx().writeAndFlush(client.ctx().alloc().buffer(0));
    }
}
