package dev.comporta.proxy.relay;

import dev.comporta.pool.PinReason;
import dev.comporta.pool.Pool;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.Waiter;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that is logged in: one request after the other, each on whatever server connection it is given, or all on the
 * one that it is pinned to. Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public final class ClientSession extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(ClientSession.class);

    /** Not "try again": that could do twice what was done. */
    private static final String LOST = "the connection to the server was lost before it answered. The request may have"
            + " taken effect or not: look before you send it again.";

    private final ClientHost host;
    private final Pool pool;
    private final ProxyAnswers answers;
    private final Waiter waiter = new Waiter(this);
    private final ClientState session;

    private RequestPhase state = RequestPhase.RESTING;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ServerSession server;
    private @Nullable PinReason pinned;

    private final HeldPackets held = new HeldPackets();
    private @Nullable Refusal refusal;

    private final long enteredAt;
    /** When it came to rest, or its request was sent on. */
    private long since;
    /** Why it is to go as soon as it rests outside of a transaction; null while it may stay. */
    private @Nullable String leaving;

    /** @param login what the server answered to the login of this client's pool */
    public ClientSession(ClientHost host, Pool pool, LoginResponse login) {
        this.host = host;
        this.pool = pool;
        answers = new ProxyAnswers(login);
        session = new ClientState(host.keepsResults());
        enteredAt = host.now();
    }

    public Pool pool() {
        return pool;
    }

    public Waiter waiter() {
        return waiter;
    }

    public SessionState sessionState() {
        return session.settings();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** The client is let in: its login is answered as the server would. */
    public void enter() {
        if (host.isSessionMode()) {
            state = RequestPhase.ENTERING;
            host.acquire(this);
        } else {
            answerLogin();
        }
    }

    private void answerLogin() {
        rest();
        answers.login(ctx());
        reading(true);
    }

    // What the client says.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf packet = (ByteBuf) message;
        switch (state) {
            case RESTING -> whileResting(packet);
            case QUEUED -> whileQueued(packet);
            case PREPARING -> whilePreparing(packet);
            case SENDING -> whileSending(packet);
            case RESPONDING -> whileResponding(packet);
            case ENTERING, PREPARING_CANCELLED, CANCELLING, TIMED_OUT, PROBING -> hold(packet);
            case REFUSED -> whileRefused(packet);
            case CLOSED -> packet.release();
        }
    }

    private void whileResting(ByteBuf packet) {
        switch (PacketHeader.type(packet)) {
            case PacketType.SQL_BATCH, PacketType.RPC, PacketType.TRANSACTION_MANAGER, PacketType.BULK_LOAD ->
                beginRequest(packet);
            case PacketType.ATTENTION -> {
                // It crossed the end of the response that it meant to cancel.
                packet.release();
                answers.attention(ctx());
            }
            default -> {
                String type = PacketType.name(PacketHeader.type(packet));
                packet.release();
                throw new ProtocolException("%s is no request".formatted(type));
            }
        }
    }

    private void beginRequest(ByteBuf packet) {
        hold(packet);
        if (server != null) {
            send(false);
            return;
        }
        HandOver.simplifyReset(packet);
        state = RequestPhase.QUEUED;
        host.acquire(this);
    }

    private void whileQueued(ByteBuf packet) {
        if (PacketHeader.type(packet) != PacketType.ATTENTION) {
            hold(packet);
            return;
        }
        packet.release();
        if (host.cancel(this)) {
            forgetHeld();
            rest();
            answers.cancelled(ctx());
        } else {
            throw new IllegalStateException("queued, and not in the queue");
        }
    }

    private void whilePreparing(ByteBuf packet) {
        if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            packet.release();
            forgetHeld();
            state = RequestPhase.PREPARING_CANCELLED;
        } else {
            hold(packet);
        }
    }

    private void whileSending(ByteBuf packet) {
        if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            // Drivers mark the last packet instead, but a server takes this too: it forgets what has come so far.
            packet.release();
            state = RequestPhase.CANCELLING;
            server().cutShort();
        } else {
            forwardRequest(packet);
        }
    }

    private void whileResponding(ByteBuf packet) {
        if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            packet.release();
            state = RequestPhase.CANCELLING;
            server().sendAttention();
        } else {
            hold(packet);
        }
    }

    private void whileRefused(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        packet.release();
        if (last) {
            tellRefusal();
        }
    }

    private void hold(ByteBuf packet) {
        held.add(packet);
        if (held.isFull()) {
            reading(false);
        }
    }

    private void forgetHeld() {
        held.release();
        reading(true);
    }

    // A server connection for it.

    /** The client has a server connection. */
    public void attached(ServerSession given) {
        server = given;
        given.attach(this);
        switch (state) {
            case QUEUED -> {
                try {
                    prepare(given);
                } catch (RuntimeException broken) {
                    // Its request makes no sense. Whoever gave the connection back stands below on this stack.
                    state = RequestPhase.SENDING;
                    exceptionCaught(ctx(), broken);
                }
            }
            case ENTERING -> {
                keep(PinReason.SESSION_MODE);
                if (given.connection().changedHands()) {
                    given.ask(session.settings().toSql(), true, this::enteredOn);
                } else {
                    answerLogin();
                }
            }
            default -> throw new IllegalStateException("attached while " + state);
        }
    }

    private void enteredOn(boolean failed) {
        if (failed) {
            close("its server connection could not be reset");
        } else {
            server().broughtInto(session.settings());
            answerLogin();
        }
    }

    private void prepare(ServerSession given) {
        ByteBuf first = held.first();
        boolean asksReset = HandOver.asksReset(first);
        if (asksReset) {
            session.reset();
        }
        switch (HandOver.plan(session.settings(), given, first)) {
            case AS_IT_IS -> send(false);
            // A client that asks for it has set the bit itself, and wants to see it acknowledged.
            case RESET_WITH_REQUEST -> send(!asksReset);
            case APPLY_FIRST -> {
                state = RequestPhase.PREPARING;
                given.ask(session.settings().toSql(), true, this::prepared);
            }
        }
    }

    private void prepared(boolean failed) {
        ServerSession given = server();
        if (failed) {
            // An option that the server took from this client before and refuses now: nothing is certain any more.
            server = null;
            given.detach();
            host.discard(given);
            if (state == RequestPhase.PREPARING_CANCELLED) {
                rest();
                answers.cancelled(ctx());
                resume();
            } else {
                refuse(Refusal.SERVER_UNAVAILABLE, held.endsWithMessage());
            }
            return;
        }
        given.broughtInto(session.settings());
        if (state == RequestPhase.PREPARING_CANCELLED) {
            rest();
            answers.cancelled(ctx());
            letGo(given);
            resume();
        } else {
            send(false);
        }
    }

    /** The client gets none. */
    public void refused(Refusal why) {
        if (state == RequestPhase.ENTERING) {
            tell(why);
            close("it got no server connection: " + why);
        } else {
            refuse(why, held.endsWithMessage());
        }
    }

    /** @param whole whether all of the request has come: a client does not listen before it has sent it */
    private void refuse(Refusal why, boolean whole) {
        refusal = why;
        forgetHeld();
        if (whole) {
            tellRefusal();
        } else {
            state = RequestPhase.REFUSED;
        }
    }

    private void tellRefusal() {
        Refusal why = Objects.requireNonNull(refusal);
        refusal = null;
        rest();
        tell(why);
    }

    // The request, on its way.

    private void send(boolean reset) {
        ServerSession given = server();
        ByteBuf first = held.first();
        if (HandOver.asksReset(first)) {
            session.reset();
        }
        given.beginRequest(first, reset);
        given.inspector().begin(first);
        given.reading(ctx().channel().isWritable());
        since = host.now();
        state = RequestPhase.SENDING;
        while (state == RequestPhase.SENDING && !held.isEmpty()) {
            forwardRequest(held.remove());
        }
        reading(given.isWritable());
        given.flush();
    }

    private void forwardRequest(ByteBuf packet) {
        ServerSession given = server();
        try {
            given.inspector().read(packet);
        } catch (RuntimeException broken) {
            packet.release();
            throw broken;
        }
        boolean last = PacketHeader.isEndOfMessage(packet);
        given.forward(packet);
        if (last) {
            state = RequestPhase.RESPONDING;
        } else if (!given.isWritable()) {
            reading(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (server != null) {
            server.flush();
        }
    }

    // The response, on its way back.

    /** Takes a packet for the client. */
    void forward(ByteBuf packet) {
        if (state == RequestPhase.TIMED_OUT) {
            packet.release();
            return;
        }
        ctx().write(packet, ctx().voidPromise());
        if (!ctx().channel().isWritable()) {
            server().reading(false);
        }
    }

    void flush() {
        ctx().flush();
    }

    /** Back-pressure: a server that does not read stops its client from being read. */
    void reading(boolean on) {
        if (state != RequestPhase.CLOSED) {
            ctx().channel().config().setAutoRead(on && !held.isFull());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (server != null) {
            server.reading(ctx.channel().isWritable());
        }
    }

    /** An integer came back with the response. */
    void returned(int ordinal, long value) {
        session.returned(server().inspector(), ordinal, value);
    }

    void responseEnded(ServerSession given) {
        if (state == RequestPhase.SENDING) {
            // What the server makes of the rest is anybody's guess.
            close("the server answered before the request was complete");
            return;
        }
        RequestInspector request = given.inspector();
        if (request.isIgnored() && given.isUncertainIfGivenUp()) {
            giveUp(given);
            return;
        }
        given.connection().countQuery(host.now() - since);
        boolean certain = given.tracker().errors() == 0 && state == RequestPhase.RESPONDING;
        session.after(request, given, certain);
        if (state == RequestPhase.TIMED_OUT) {
            answers.error(ctx(), ProxyError.QUERY_TIMEOUT, host.timeoutAdvice());
        }
        // A server that keeps silent of T-SQL may tell of a part of it: only a transaction manager request is one
        // thing.
        boolean told = given.toldOfTransaction() && request.type() == PacketType.TRANSACTION_MANAGER;
        boolean silent = host.mustProbe() && request.mayChangeTransaction() && !told;
        if (silent || given.tracker().isDoubted()) {
            state = RequestPhase.PROBING;
            given.probe(failed -> probed(given, failed));
            return;
        }
        settle(given);
    }

    /** The client gave up a request of which nobody knows what it has done. */
    private void giveUp(ServerSession given) {
        if (pinned != null) {
            close("it gave up a request, and what became of its session is not known");
            return;
        }
        server = null;
        given.detach();
        flush();
        host.discard(given);
        rest();
        resume();
    }

    private void probed(ServerSession given, boolean failed) {
        if (failed) {
            session.keepUntilReset(PinReason.NOT_UNDERSTOOD);
        }
        settle(given);
    }

    /** The response is over: keep the connection, or let it go. */
    private void settle(ServerSession given) {
        rest();
        PinReason reason = host.isSessionMode()
                ? PinReason.SESSION_MODE
                : given.tracker().inTransaction() ? PinReason.TRANSACTION : session.pinReason();
        if (reason != null) {
            keep(reason);
        } else {
            letGo(given);
        }
        if (leaving != null && !isInTransaction()) {
            flush();
            close(leaving);
            return;
        }
        resume();
    }

    private void rest() {
        state = RequestPhase.RESTING;
        since = host.now();
    }

    private void keep(PinReason reason) {
        if (pinned != reason) {
            pinned = reason;
            host.pin(server(), reason);
        }
    }

    private void letGo(ServerSession given) {
        if (pinned != null) {
            pinned = null;
            host.unpin(given);
        }
        server = null;
        given.detach();
        flush();
        host.release(given, session.settings());
    }

    /** Reads on, with what the client has sent in the meantime first. */
    private void resume() {
        try {
            while (state == RequestPhase.RESTING && !held.isEmpty()) {
                channelRead(ctx(), held.remove());
            }
            reading(true);
        } catch (RuntimeException broken) {
            // On the stack of a server connection, which may be another client's by now.
            exceptionCaught(ctx(), broken);
        }
    }

    // Time.

    /** The client is to go as soon as no request or transaction of it runs: now, maybe. */
    public void leave(String why) {
        leaving = why;
        if (state == RequestPhase.RESTING && !isInTransaction()) {
            close(why);
        }
    }

    /** The client is to go now, whatever it does. */
    public void cutOff(String why) {
        if (state != RequestPhase.CLOSED) {
            close(why);
        }
    }

    /** Ends what has taken too long. */
    public void check(ClientLimits limits, long now) {
        if (limits.isSessionOver(now - enteredAt)) {
            leave("session_timeout");
        }
        long nanos = now - since;
        if (state == RequestPhase.RESPONDING && limits.isQueryOver(nanos)) {
            cancelOverdue();
        } else if (state == RequestPhase.RESTING && isInTransaction()) {
            if (limits.isIdleInTransactionFor(nanos)) {
                close("idle_in_transaction_timeout; its transaction is rolled back");
            }
        } else if (state == RequestPhase.RESTING && limits.isIdleFor(nanos)) {
            close("idle_timeout");
        }
    }

    private void cancelOverdue() {
        if (server().hasAnswered()) {
            // Part of the response is out, perhaps half a row: no error can be put behind that.
            close("query_timeout, in the middle of the response");
            return;
        }
        state = RequestPhase.TIMED_OUT;
        server().sendAttention();
    }

    private boolean isInTransaction() {
        return server != null && server.tracker().inTransaction();
    }

    // What goes wrong.

    /** The server connection is gone, and whatever was in it. */
    void serverLost() {
        ServerSession lost = server();
        server = null;
        boolean hadState = pinned != null || lost.tracker().inTransaction();
        pinned = null;
        switch (state) {
            case SENDING, PREPARING, RESPONDING -> {
                if (hadState || lost.hasAnswered()) {
                    close("its server connection was lost in the middle of it");
                    return;
                }
                if (state == RequestPhase.RESPONDING) {
                    rest();
                    answers.error(ctx(), ProxyError.SERVER_UNAVAILABLE, LOST);
                    resume();
                } else {
                    refuse(Refusal.SERVER_UNAVAILABLE, held.endsWithMessage());
                }
            }
            case PREPARING_CANCELLED -> {
                rest();
                answers.cancelled(ctx());
                resume();
            }
            case ENTERING, RESTING, CANCELLING, TIMED_OUT, PROBING -> close("its server connection was lost");
            case QUEUED, REFUSED, CLOSED -> throw new IllegalStateException("lost a connection while " + state);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (state != RequestPhase.CLOSED) {
            end();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (state == RequestPhase.CLOSED) {
            return;
        }
        if (cause instanceof ProtocolException || cause instanceof IOException) {
            close(cause.getMessage());
        } else {
            log.error("client {}", ctx.channel().remoteAddress(), cause);
            end();
            ctx.close();
        }
    }

    private void close(@Nullable String why) {
        log.info("client {} is closed: {}", ctx().channel().remoteAddress(), why);
        end();
        ctx().close();
    }

    /**
     * Nothing that the client sends or is sent counts any more. Not left to the end of its channel: that comes only when
     * all that was read has been passed on, and with TLS when the client has taken its leave.
     */
    private void end() {
        RequestPhase was = state;
        state = RequestPhase.CLOSED;
        held.release();
        ServerSession had = server;
        server = null;
        switch (was) {
            case QUEUED -> host.cancel(this);
            case RESTING -> {
                if (had != null) {
                    had.detach();
                    host.releaseDirty(had);
                }
            }
            case RESPONDING, CANCELLING, TIMED_OUT -> {
                if (had != null) { // else it is closed because its server connection was lost
                    host.abandon(had);
                }
            }
            case ENTERING, SENDING, PREPARING, PREPARING_CANCELLED, PROBING -> {
                if (had == null) {
                    host.cancel(this);
                } else {
                    had.detach();
                    host.discard(had);
                }
            }
            case REFUSED, CLOSED -> {}
        }
        host.left(this);
    }

    private void tell(Refusal why) {
        answers.error(ctx(), ProxyError.of(why), host.advice(why));
    }

    private ServerSession server() {
        return Objects.requireNonNull(server);
    }

    private ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }
}
