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
 * A connection that has not logged in yet, in the gate's books and before all other handlers of its pipeline: there it
 * counts what is received. Confined to the connection's loop, except where it says otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: its end is told by the channel
final class PendingLogin extends ChannelInboundHandlerAdapter implements LoginProgress {
    private final Channel channel;
    /** Where the socket's other end is; the client's own, when that has been told. Written by the gate. */
    private volatile InetAddress address;
    /** Whether the client's own address is still to be told, by a load balancer. Written by the gate. */
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
    /** Whether its handshake waits for its turn: then it is not its own fault that it makes no progress. */
    private volatile boolean waits;

    private @Nullable HandshakeTurns turns;
    private @Nullable Turn turn;
    private long held;
    /** The gate's: the step in which it was last asked whether there is progress. */
    private long heardStep;

    /**
     * @param unknown whether the client's own address is still to be told
     * @param known told that address, on the connection's loop
     * @param leave told once, on the connection's loop
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
        heardStep = stepBegan - 1;
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

    /** The client's own address has been told. */
    void known(InetAddress own) {
        known.accept(this, own);
    }

    /** For the gate. */
    void settle(InetAddress own) {
        address = own;
        unknown = false;
    }

    /** When the channel has its loop. */
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

    /** For the gate: whether it has a loop, does not wait for its turn, and was not asked about its present step. */
    boolean isToBeHeard() {
        return heardStep != stepBegan && !waits && channel.isRegistered();
    }

    void heard(long step) {
        heardStep = step;
    }

    /** @return whether it was still pending */
    boolean cutOff() {
        if (ended) {
            return false;
        }
        channel.close();
        return true;
    }

    /** The same from any thread, and also before the channel has a loop. */
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
        // A step of the login, not a byte of it: a client that sends a byte now and then makes no progress.
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
        // Nothing of it stays with a client that is in: there are many of them.
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
