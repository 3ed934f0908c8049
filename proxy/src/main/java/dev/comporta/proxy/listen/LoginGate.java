package dev.comporta.proxy.listen;

import dev.comporta.proxy.listen.RefusedConnections.Reason;
import dev.comporta.proxy.origin.ClientAddress;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the connections of a listener that have not logged in yet. It precedes the handler that serves accepted connections,
 * so that nothing is allocated for a refused one. When all places are taken, it closes connections whose login has made no
 * progress for a while, those of the address with the most of them first: a flood evicts itself, and clients of a crowd that
 * do log in are kept. Further connections wait in the kernel's queue.
 *
 * <p>Confined to the listener's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of scheduled tasks, which fail only if the loop does
final class LoginGate extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<PendingLogin> PENDING = AttributeKey.valueOf(LoginGate.class, "PENDING");

    /** The time that a login step may take, more than a round trip. Applies only while all places are taken. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time to read an answer that has already arrived at the socket. */
    private static final long READING_MILLIS = 1;

    private static final long RETRY_MILLIS = 10;
    private static final long TELLING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(LoginGate.class);

    private final LoginLimits limits;
    private final Guards guards;
    private final Entrance entrance;
    private final LongSupplier nanoClock;
    /** Pending logins by address, the oldest of each first. */
    private final Map<InetAddress, SequencedSet<PendingLogin>> pending = new HashMap<>();

    private int count;
    private boolean makingRoom;
    private boolean closed;
    /** Atomic, as other event loops count too. */
    private final AtomicLong evicted = new AtomicLong();

    private long told;
    private long toldNoSockets;
    private long evictedTold;

    LoginGate(LoginLimits limits, Guards guards, Entrance entrance) {
        this.limits = limits;
        this.guards = guards;
        this.entrance = entrance;
        nanoClock = guards.nanoClock();
        told = nanoClock.getAsLong() - TELLING_NANOS;
        toldNoSockets = told;
    }

    int count() {
        return count;
    }

    static void forget(Channel client) {
        client.attr(PENDING).set(null);
    }

    /** The pending login of a connection. */
    static PendingLogin of(Channel client) {
        return client.attr(PENDING).get();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel client = (Channel) message;
        if (!guards.sockets().take(client)) {
            client.unsafe().closeForcibly(); // it is not registered with a loop yet
            guards.refused().count(Reason.NO_FILE_DESCRIPTORS);
            tellNoSockets();
            return;
        }
        if (!entrance.admitSocket(client)) {
            client.unsafe().closeForcibly();
            guards.sockets().giveBack();
            return;
        }
        InetAddress socket = ClientAddress.ipOf(client);
        LoginReads reads = new LoginReads();
        client.config().setRecvByteBufAllocator(reads);
        PendingLogin login = new PendingLogin(
                client,
                socket,
                entrance.rules().isTrusted(socket),
                guards.budget(),
                reads,
                nanoClock,
                (known, address) -> ctx.executor().execute(() -> move(known, address)),
                gone -> ctx.executor().execute(() -> leave(ctx, gone)));
        client.attr(PENDING).set(login);
        enter(login);
        ctx.fireChannelRead(client);
        if (count >= limits.maxPending()) {
            accept(ctx, false);
            if (!makingRoom) {
                makeRoom(ctx, nanoClock.getAsLong());
            }
        }
    }

    private void enter(PendingLogin login) {
        SequencedSet<PendingLogin> neighbours = pending.computeIfAbsent(login.address(), _ -> new LinkedHashSet<>());
        neighbours.add(login);
        count++;
        // A load balancer has as many connections as clients: those count by their own addresses, once known.
        if (!login.isUnknown()
                && limits.maxPendingPerAddress() > 0
                && neighbours.size() > limits.maxPendingPerAddress()) {
            countEvicted();
            PendingLogin oldest = neighbours.getFirst();
            forget(oldest);
            oldest.cutOffFromElsewhere();
        }
    }

    private void countEvicted() {
        evicted.incrementAndGet();
        guards.refused().count(Reason.TOO_MANY_PENDING_LOGINS);
    }

    /** The client's own address has become known: from now on the connection counts as that address's. */
    private void move(PendingLogin login, InetAddress address) {
        if (forget(login)) {
            login.settle(address);
            enter(login);
        }
    }

    private void leave(ChannelHandlerContext ctx, PendingLogin login) {
        forget(login);
        if (count < limits.maxPending()) {
            accept(ctx, true);
        }
    }

    /** @return whether it was still counted */
    private boolean forget(PendingLogin login) {
        SequencedSet<PendingLogin> neighbours = pending.get(login.address());
        if (neighbours == null || !neighbours.remove(login)) {
            return false;
        }
        count--;
        if (neighbours.isEmpty()) {
            pending.remove(login.address());
        }
        return true;
    }

    private void accept(ChannelHandlerContext ctx, boolean on) {
        if (!closed && ctx.channel().config().isAutoRead() != on) {
            ctx.channel().config().setAutoRead(on);
        }
    }

    private void makeRoom(ChannelHandlerContext ctx, long now) {
        makingRoom = count >= limits.maxPending() && !closed;
        accept(ctx, !makingRoom);
        if (!makingRoom) {
            return;
        }
        int wanted = count - limits.maxPending() + Math.max(1, limits.maxPending() / 4);
        for (PendingLogin idle : idle(now, wanted)) {
            readThenCutOff(idle);
        }
        tell(ctx, now);
        ctx.executor().schedule(() -> makeRoom(ctx, nanoClock.getAsLong()), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private List<PendingLogin> idle(long now, int wanted) {
        List<Collection<PendingLogin>> crowds = new ArrayList<>(byNetwork().values());
        crowds.sort(Comparator.comparingInt(crowd -> -crowd.size()));
        List<PendingLogin> idle = new ArrayList<>();
        for (Collection<PendingLogin> crowd : crowds) {
            boolean pays = false;
            for (PendingLogin login : crowd) {
                if (now - login.stepBegan() >= GRACE_NANOS && idle.size() < wanted) {
                    pays = true;
                    if (login.isToBeChecked()) {
                        idle.add(login);
                    }
                }
            }
            if (pays) {
                return idle; // smaller crowds are spared while the largest has any to close, or that are closing
            }
        }
        return idle;
    }

    /** Groups by network: a host can use any number of addresses of its IPv6 network, each with one connection. */
    private Map<InetAddress, Collection<PendingLogin>> byNetwork() {
        Map<InetAddress, Collection<PendingLogin>> crowds = new HashMap<>();
        pending.forEach((address, logins) -> crowds.merge(ClientAddress.networkOf(address), logins, (one, other) -> {
            List<PendingLogin> both = one instanceof List<PendingLogin> list ? list : new ArrayList<>(one);
            both.addAll(other);
            return both;
        }));
        return crowds;
    }

    /**
     * Closes a connection unless it has sent its next step, which may lie unread on a loop that is busy with many logins. The
     * loop reads what has arrived before it runs a task that is due later.
     */
    private void readThenCutOff(PendingLogin login) {
        long step = login.stepBegan();
        login.checked(step);
        login.channel()
                .eventLoop()
                .schedule(
                        () -> {
                            if (login.stepBegan() == step && login.cutOff()) {
                                countEvicted();
                            }
                        },
                        READING_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void tellNoSockets() {
        long now = nanoClock.getAsLong();
        if (now - toldNoSockets >= TELLING_NANOS) {
            toldNoSockets = now;
            log.warn("no file descriptors left for more clients: new connections are closed. Raise the limit of open"
                    + " files (ulimit -n), or run another instance");
        }
    }

    private void tell(ChannelHandlerContext ctx, long now) {
        if (now - told >= TELLING_NANOS) {
            long sum = evicted.get();
            log.warn(
                    "{} connections to {} have not logged in (proxy.limits.max_pending_logins): closing those without"
                            + " progress; {} connections closed since the last such line",
                    count,
                    ctx.channel().localAddress(),
                    sum - evictedTold);
            told = now;
            evictedTold = sum;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closed = true;
        ctx.fireChannelInactive();
    }
}
