package dev.comporta.proxy.attach;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.BucketSnapshot;
import dev.comporta.pool.LeasePort;
import dev.comporta.pool.Refusal;
import dev.comporta.proxy.line.PausedPeers;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.session.SessionState;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A bucket on its event loop: the pool core with its time, and the parts that connect it to sockets. {@link PoolOrders}
 * come out of the core; what its {@link SharingClients} and {@link Dedications} want and what {@link ServerReports} tell
 * goes in. Everything here, and everything it holds, is confined to that loop.
 */
public final class BucketLoop implements LeaseSource.BucketThread {
    /** How often the pool hears of the time when nothing else happens: its idle times are of minutes. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    static final String CONNECT_AGAIN = ". Connect again.";

    /** Replaced on the loop, read by anyone. */
    private volatile BucketSpec spec;

    private final EventLoop loop;
    private final LeasePort leases;
    private final Bucket bucket;
    private final Admission admission;
    private final SharingClients sharing;
    private final Dedications dedications;
    private final ServerReports reports;
    private final Upkeep upkeep;
    private final WarmUp warmUp;
    private final PausedPeers paused;
    private final long origin = System.nanoTime();

    private long tickAt = Long.MAX_VALUE;
    private @Nullable Future<?> tick;
    private long sweepAt = TICK_NANOS;
    /** Why clients have to go; null as long as they don't. */
    private @Nullable String ending;

    private @Nullable Runnable whenDrained;
    private @Nullable Runnable whenStopped;

    /** A bucket that lives on this loop from now on. */
    public static BucketLoop on(
            EventLoop loop, BucketSpec spec, Transport transport, SocketLimits limits, LeaseSource leases) {
        BucketLoop made = new BucketLoop(spec, loop, transport, limits, leases);
        loop.execute(made::arm);
        return made;
    }

    private BucketLoop(
            BucketSpec spec, EventLoop loop, Transport transport, SocketLimits limits, LeaseSource leaseSource) {
        this.spec = spec;
        this.loop = loop;
        leases = leaseSource.leasesOf(spec.id(), this);
        RandomGenerator random = RandomGenerator.getDefault();
        PoolOrders orders = new PoolOrders(this, transport, limits);
        bucket = new Bucket(spec.id(), spec.settings(), orders, leases, random, SessionState::apart, 0);
        warmUp = new WarmUp(this, loop.newPromise());
        upkeep = new Upkeep(this);
        admission = new Admission(this, limits);
        sharing = new SharingClients(this);
        dedications = new Dedications(this);
        reports = new ServerReports(this);
        paused = new PausedPeers(limits.keepAlive().userTimeout());
    }

    public EventLoop loop() {
        return loop;
    }

    public BucketSpec spec() {
        return spec;
    }

    public Admission admission() {
        return admission;
    }

    SharingClients sharing() {
        return sharing;
    }

    Dedications dedications() {
        return dedications;
    }

    ServerReports reports() {
        return reports;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    WarmUp firstConnections() {
        return warmUp;
    }

    /** Whether a client of this bucket can be told that it may have several requests at the same time. From any thread. */
    public boolean grantsMars() {
        return dedications.grantsMars();
    }

    /** Opens the first connections, if it is known whose. Is done when they are there, or not to be had in time. */
    public Future<Void> warmUp() {
        loop.execute(warmUp::begin);
        return warmUp.over();
    }

    /**
     * What the bucket is doing at one moment. Taken on the loop: for people and tests, not for the hot path.
     *
     * @param logins what is remembered of those who share: a user, a secret, and what was negotiated
     */
    public record Glance(int clients, int logins, BucketSnapshot pool) {}

    /** To be called from other threads than the loop's own. */
    public Future<Glance> glance() {
        return loop.submit(
                () -> new Glance(sharing.size() + dedications.size(), admission.logins(), bucket.snapshot()));
    }

    Bucket bucket() {
        return bucket;
    }

    @Override
    public long now() {
        return System.nanoTime() - origin;
    }

    /** The time of an event that may attach a client: what is no longer leased is taken from the bucket before it. */
    long event() {
        leases.enforce();
        return now();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void answered() {
        arm();
    }

    // Time.

    /** Sees to it that the pool is told when its next time limit has come. */
    void arm() {
        armBy(Math.min(bucket.nextDeadline(), now() + TICK_NANOS));
    }

    /** Sees to it that the pool is told of the time at this time at the latest. */
    void armBy(long due) {
        if (due >= tickAt) {
            return;
        }
        if (tick != null) {
            tick.cancel(false);
        }
        tickAt = due;
        tick = loop.schedule(this::tick, Math.max(0, due - now()), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        tickAt = Long.MAX_VALUE;
        long now = event();
        bucket.tick(now);
        if (now >= sweepAt) {
            sweepAt = now + TICK_NANOS;
            sharing.check(spec.limits(), now);
            dedications.check(spec.limits(), now);
            reports.check(spec.limits(), now);
            admission.forgetUnused(now);
        }
        if (paused.isDue(now)) {
            sharing.lookAt(paused, now);
            dedications.lookAt(paused, now);
            reports.lookAt(paused, now);
        }
        arm();
    }

    /**
     * New settings, from now on. Where its server is, how it is spoken to, and how connections are shared can't change
     * while it lives: there the old ones hold. From any thread.
     */
    public void reconfigure(BucketSpec wanted) {
        loop.execute(() -> {
            spec = wanted.asRunning(spec);
            admission.reconfigured();
            bucket.reconfigure(spec.settings(), event());
            arm();
        });
    }

    /**
     * Lets nobody in any more, and each client go when no request or transaction of it runs. Call it on the loop.
     *
     * @param why for those who have to go
     * @param whenDone is run when the last has left
     */
    public void drain(String why, Runnable whenDone) {
        ending = why;
        whenDrained = whenDone;
        sharing.leave(why);
        dedications.leave(why);
        tellDrained();
    }

    /**
     * Cuts off whoever is still there, and closes the server connections. Call it on the loop.
     *
     * @param why for those who are cut off
     * @param whenDone is run when the last of them is closed and its slot given back
     */
    public void stop(String why, Runnable whenDone) {
        ending = why;
        whenStopped = whenDone;
        sharing.cutOff(why);
        dedications.cutOff(why);
        bucket.remove(now());
        arm();
    }

    /** Nothing of the bucket is left. */
    void stopped() {
        tickAt = Long.MIN_VALUE; // nothing is due any more, ever
        if (tick != null) {
            tick.cancel(false);
        }
        if (whenStopped != null) {
            whenStopped.run();
        }
    }

    void tellDrained() {
        Runnable told = whenDrained;
        if (told != null && sharing.size() == 0 && dedications.size() == 0) {
            whenDrained = null;
            told.run();
        }
    }

    /** Why nobody is let in any more, for who would come in; null while clients are. */
    @Nullable
    String endingAdvice() {
        return ending == null ? null : ending + CONNECT_AGAIN;
    }

    String advice(Refusal why) {
        return Advice.of(why, spec, bucket);
    }
}
