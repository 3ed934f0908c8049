package dev.comporta.proxy.listen;

import dev.comporta.proxy.listen.HandshakeTurns.Turn;
import dev.comporta.proxy.login.LoginProgress;
import dev.comporta.proxy.origin.ClientAddress;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that has not logged in yet: the gate's entry for it, and the first handler of its pipeline, where it counts
 * received bytes. Confined to the connection's loop, except where noted.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: channelInactive reports the end
final class PendingLogin extends ChannelInboundHandlerAdapter implements LoginProgress {
    private final Channel channel;
    /** The peer's address, then the client's own when a load balancer has sent it. Written by the gate. */
    private volatile InetAddress address;
    /** Whether a load balancer has yet to send the client's own address. Written by the gate. */
    private volatile boolean unknown;

    private final LoginBudget budget;
    private final BiConsumer<PendingLogin, InetAddress> known;
    private final Consumer<PendingLogin> leave;
    private final LoginReads reads;
    private final LongSupplier nanoClock;
    private final ChannelFutureListener closed;

    /** When its present step began, by the gate's clock. Read by the gate. */
    private volatile long stepBegan;

    private volatile boolean ended;
    private volatile boolean doomed;
    /** Whether its handshake waits for its turn: the lack of progress is not the client's fault then. */
    private volatile boolean waits;

    private @Nullable HandshakeTurns turns;
    private @Nullable Turn turn;
    private long held;
    /** The step in which the gate last checked for progress. Used by the gate only. */
    private long checkedStep;

    /**
     * @param unknown whether a load balancer has yet to send the client's own address
     * @param known receives that address, on the connection's loop
     * @param leave called once when the login has ended, on the connection's loop
     */
    PendingLogin(
            Channel channel,
            InetAddress address,
            boolean unknown,
            LoginBudget budget,
            LoginReads reads,
            LongSupplier nanoClock,
            BiConsumer<PendingLogin, InetAddress> known,
            Consumer<PendingLogin> leave) {
        this.channel = channel;
        this.address = address;
        this.unknown = unknown;
        this.known = known;
        this.budget = budget;
        this.reads = reads;
        this.leave = leave;
        this.nanoClock = nanoClock;
        stepBegan = nanoClock.getAsLong();
        checkedStep = stepBegan - 1;
        closed = _ -> {
            ended(0);
            judged();
        };
        channel.closeFuture().addListener(closed);
    }

    /** Any thread. */
    InetAddress address() {
        return address;
    }

    /** Any thread. */
    boolean isUnknown() {
        return unknown;
    }

    /** The load balancer has sent the client's own address. */
    void known(InetAddress own) {
        known.accept(this, own);
    }

    /** Called by the gate when it counts the connection for its own address. */
    void settle(InetAddress own) {
        address = own;
        unknown = false;
    }

    /** Called when the channel has its loop. */
    void takeTurnsIn(HandshakeTurns ofLoop) {
        turns = ofLoop;
    }

    /** Any thread. */
    Channel channel() {
        return channel;
    }

    /** Any thread. */
    long stepBegan() {
        return stepBegan;
    }

    /** For the gate: whether it has a loop, does not wait for its turn, and was not checked in its present step. */
    boolean isToBeChecked() {
        return checkedStep != stepBegan && !waits && channel.isRegistered();
    }

    void checked(long step) {
        checkedStep = step;
    }

    /** @return whether it was still pending */
    boolean cutOff() {
        if (ended) {
            return false;
        }
        channel.close();
        return true;
    }

    /** As {@link #cutOff}, from any thread, and also before the channel has a loop. */
    void cutOffFromElsewhere() {
        doomed = true;
        if (channel.isRegistered()) {
            channel.eventLoop().execute(this::cutOff);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (doomed) {
            cutOff();
        }
    }

    @Override
    public void progressed() {
        // A step of the login, not any byte: a client that sends a byte now and then makes no progress.
        stepBegan = nanoClock.getAsLong();
        endTurn();
    }

    @Override
    public void beforeHandshake(Runnable begin) {
        HandshakeTurns ofLoop = Objects.requireNonNull(turns);
        turn = new Turn(ClientAddress.networkOf(ClientAddress.ipOf(channel)), () -> begin(begin));
        if (!ofLoop.take(turn)) {
            waits = true;
            channel.config().setAutoRead(false);
        }
    }

    private void begin(Runnable handshake) {
        try {
            handshake.run();
        } catch (RuntimeException e) {
            channel.pipeline().fireExceptionCaught(e);
        }
        if (waits) {
            waits = false;
            stepBegan = nanoClock.getAsLong();
            channel.config().setAutoRead(true);
        }
    }

    private void endTurn() {
        Turn had = turn;
        if (had != null) {
            turn = null;
            Objects.requireNonNull(turns).end(had);
        }
    }

    @Override
    public void ended(int kept) {
        if (ended) {
            return;
        }
        ended = true;
        endTurn();
        long unjudged = Math.min(held, kept);
        budget.giveBack(held - unjudged);
        held = unjudged;
        reads.ofAnySize();
        LoginGate.forget(channel);
        if (channel.isOpen()) {
            channel.pipeline().remove(this);
        }
        leave.accept(this);
    }

    @Override
    public void judged() {
        budget.giveBack(held);
        held = 0;
        // Logged-in clients are many: release everything of their pending login.
        channel.closeFuture().removeListener(closed);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        int bytes = ((ByteBuf) message).readableBytes();
        held += bytes;
        if (!budget.take(bytes, held)) {
            ((ByteBuf) message).release();
            channel.close();
            return;
        }
        ctx.fireChannelRead(message);
    }
}
