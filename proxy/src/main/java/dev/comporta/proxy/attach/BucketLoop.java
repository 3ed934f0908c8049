package dev.comporta.proxy.attach;

import dev.comporta.pool.BucketSnapshot;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.session.SessionState;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bucket on its event loop: the pool core with its time, and the parts that connect it to sockets. {@link PoolOrders}
 * come out of the core; what its {@link SharingClients} and {@link Dedications} want and what {@link ServerReports} tell
 * goes in. Everything here, and everything it holds, is confined to that loop.
 */
public final class BucketLoop {
    /** How often clients and servers are looked at for time limits: those are of seconds. */
    private static final long SWEEP_SECONDS = 1;

    private static final Logger log = LoggerFactory.getLogger(BucketLoop.class);

    static final String CONNECT_AGAIN = ". Connect again.";

    /** Replaced on the loop, read by anyone. */
    private volatile BucketSpec spec;

    private final EventLoop loop;
    private final BucketRunner runner;
    private final Admission admission;
    private final SharingClients sharing;
    private final Dedications dedications;
    private final ServerReports reports;
    private final Upkeep upkeep;
    private final WarmUp warmUp;
    private final long origin = System.nanoTime();

    private final Future<?> sweeps;
    /** Why clients have to go; null as long as they don't. */
    private @Nullable String ending;

    private @Nullable Runnable whenDrained;
    private @Nullable Runnable whenStopped;

    /** A bucket that lives on this loop from now on. */
    public static BucketLoop on(
            EventLoop loop, BucketSpec spec, Transport transport, SocketLimits limits, LeaseSource leases) {
        return new BucketLoop(spec, loop, transport, limits, leases);
    }

    private BucketLoop(
            BucketSpec spec, EventLoop loop, Transport transport, SocketLimits limits, LeaseSource leaseSource) {
        this.spec = spec;
        this.loop = loop;
        runner = new BucketRunner(
                spec.id(),
                spec.settings(),
                loop,
                () -> System.nanoTime() - origin,
                new PoolOrders(this, transport, limits),
                leaseSource,
                RandomGenerator.getDefault(),
                SessionState::apart);
        warmUp = new WarmUp(this, loop.newPromise());
        upkeep = new Upkeep(this);
        admission = new Admission(this, limits);
        sharing = new SharingClients(this);
        dedications = new Dedications(this);
        reports = new ServerReports(this);
        sweeps = loop.scheduleAtFixedRate(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
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
                () -> new Glance(sharing.size() + dedications.size(), admission.logins(), runner.snapshot()));
    }

    BucketRunner runner() {
        return runner;
    }

    long now() {
        return runner.now();
    }

    private void sweep() {
        long now = now();
        try {
            sharing.check(spec.limits(), now);
            dedications.check(spec.limits(), now);
            reports.check(spec.limits(), now);
            admission.forgetUnused(now);
        } catch (RuntimeException e) {
            log.error("bucket {}: checking the time limits of its clients failed", spec.id(), e);
        }
    }

    /**
     * New settings, from now on. Where its server is, how it is spoken to, and how connections are shared can't change
     * while it lives: there the old ones hold. From any thread.
     */
    public void reconfigure(BucketSpec wanted) {
        loop.execute(() -> {
            spec = wanted.asRunning(spec);
            admission.reconfigured();
            runner.reconfigure(spec.settings());
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
        runner.remove();
    }

    /** Nothing of the bucket is left. */
    void stopped() {
        sweeps.cancel(false);
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
        return Advice.of(why, spec, runner);
    }
}
