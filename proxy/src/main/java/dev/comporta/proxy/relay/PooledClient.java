package dev.comporta.proxy.relay;

import dev.comporta.pool.Pool;
import dev.comporta.proxy.line.ClientLine;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * A client that is logged in: what it says, how long it may take, and its leaving. One request after the other, each on
 * whatever server connection it is given, or all on the one that it is pinned to: that is its {@link ClientRequest}'s
 * part. Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public final class PooledClient extends ClientLine {
    private final ConnectionBroker host;
    private final ProxyAnswers answers;
    private final ClientRequest request;
    private final long enteredAt;

    /** Whether {@link #resume} stands below on this stack, and will look again. */
    private boolean resuming;

    /** Why it is to go as soon as it rests outside of a transaction; null while it may stay. */
    private @Nullable String leaving;

    /** @param login what the server answered to the login of this client's pool */
    public PooledClient(ConnectionBroker host, Pool pool, LoginResponse login) {
        this.host = host;
        answers = new ProxyAnswers(login);
        request = new ClientRequest(this, host, pool, answers);
        enteredAt = host.now();
    }

    public ClientRequest request() {
        return request;
    }

    /** The client is let in: its login is answered as the server would. */
    public void enter() {
        request.enter();
    }

    // What the client says.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf packet = (ByteBuf) message;
        switch (request.phase()) {
            case RESTING -> {
                request.hold(packet);
                beginHeld();
            }
            case GATHERING -> {
                if (!isCancel(packet)) {
                    request.gather(packet);
                }
            }
            case QUEUED, PREPARING, RESPONDING -> {
                if (!isCancel(packet)) {
                    request.hold(packet);
                }
            }
            case SENDING -> {
                if (!isCancel(packet)) {
                    request.send(packet);
                }
            }
            case ENTERING, PREPARING_CANCELLED, CANCELLING, TIMED_OUT, PROBING -> request.hold(packet);
            case REFUSED, ANSWERED_EARLY -> {
                if (!isCancel(packet)) {
                    request.response().skip(packet);
                }
            }
            case CLOSED -> packet.release();
        }
    }

    /** Takes up what was held first, while the client rests. Its packets stay where they are until they are sent. */
    private void beginHeld() {
        int type = request.heldType();
        switch (type) {
            case PacketType.SQL_BATCH, PacketType.RPC, PacketType.TRANSACTION_MANAGER, PacketType.BULK_LOAD ->
                request.begin();
            case PacketType.ATTENTION -> {
                // It crossed the end of the response that it meant to cancel.
                request.dropHeld();
                answers.attention(ctx());
            }
            default -> throw new ProtocolException("%s is no request".formatted(PacketType.name(type)));
        }
    }

    /** Cancels the request if that is what the packet says; it is released then. */
    private boolean isCancel(ByteBuf packet) {
        if (PacketHeader.type(packet) != PacketType.ATTENTION) {
            return false;
        }
        packet.release();
        request.cancel();
        return true;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        request.flush();
    }

    // What it is told.

    void flush() {
        ctx().flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        request.response().clientReads(isWritable());
    }

    /** No request runs any more, and what is to become of the server connection is decided. */
    void requestEnded() {
        leaveIfResting();
        resume();
    }

    /**
     * Reads on, with what the client has sent in the meantime first. Requests that are answered at once, cancelled or refused
     * ones, end up here again from inside the loop: thousands of them must not pile up on the stack.
     */
    private void resume() {
        if (resuming) {
            return;
        }
        resuming = true;
        try {
            while (isResting() && request.hasHeld()) {
                beginHeld();
            }
            request.reading(true);
        } catch (RuntimeException broken) {
            // On the stack of a server connection, which may be another client's by now.
            exceptionCaught(ctx(), broken);
        } finally {
            resuming = false;
        }
    }

    // Time.

    /** The client is to go as soon as no request or transaction of it runs: now, maybe. */
    public void leave(String why) {
        if (leaving == null) {
            leaving = why;
            leaveIfResting();
        }
    }

    /** Not before it has taken all that it was told: one that reads slowly must not lose the end of its last answer. */
    private void leaveIfResting() {
        String why = leaving;
        if (why == null || !mayLeave()) {
            return;
        }
        ctx().writeAndFlush(ctx().alloc().buffer(0)).addListener(told -> {
            if (mayLeave()) { // no request has come meanwhile
                close(why);
            }
        });
    }

    private boolean mayLeave() {
        return isResting() && !request.server().isInTransaction();
    }

    /** Ends what has taken too long. */
    public void check(ClientLimits limits, long now) {
        if (limits.isSessionOver(now - enteredAt)) {
            leave("session_timeout");
        }
        long nanos = now - request.since();
        if (request.isComing() && limits.isStalledFor(now - request.heardAt())) {
            close("stalled_request_timeout: a part of its request did not come");
        } else if (request.phase() == ClientPhase.RESPONDING && limits.isQueryOver(nanos)) {
            request.response().timeOut();
        } else if (request.phase() == ClientPhase.SENDING && !request.isComing() && limits.isQueryOver(nanos)) {
            close("query_timeout: the server does not take the rest of its request");
        } else if (isResting() && request.server().isInTransaction()) {
            if (limits.isIdleInTransactionFor(nanos)) {
                close("idle_in_transaction_timeout; its transaction is rolled back");
            }
        } else if (isResting() && limits.isIdleFor(nanos)) {
            closeWhenTold("idle_timeout");
        }
    }

    private boolean isResting() {
        return request.phase() == ClientPhase.RESTING;
    }

    // Its leaving.

    /** It can't be told from one that is gone: a request that runs is cancelled. */
    @Override
    protected void saidAll() {
        if (isResting()) {
            hangUpWhenTold();
        } else {
            hangUp();
        }
    }

    @Override
    protected boolean isClosed() {
        return request.phase() == ClientPhase.CLOSED;
    }

    @Override
    protected void end() {
        request.end();
    }

    @Override
    protected void left() {
        host.left(this);
    }
}
