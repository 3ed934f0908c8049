package dev.comporta.proxy.loop;

import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.line.PausedPeers;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginRefusal;
import dev.comporta.proxy.prepared.PreparedSnapshot;
import dev.comporta.proxy.relay.DrainPace;
import dev.comporta.proxy.relay.PooledClient;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientIdentities;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.ClientNumbers;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.RelaySnapshot;
import dev.comporta.proxy.watch.SlowRequests;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bucket on its event loop: the pool core with its runner, and the parts that connect it to sockets. {@link PoolOrders}
 * come out of the core; what its {@link SharingClients} and {@link Dedications} want and what {@link ServerReports} tell
 * goes in. Everything here, and everything it holds, is confined to that loop, where nothing else is said.
 */
public final class BucketLoop {
    private static final Logger log = LoggerFactory.getLogger(BucketLoop.class);

    /** How often clients and servers are checked for their time limits, which are of seconds. */
    private static final long SWEEP_SECONDS = 1;

    static final String CONNECT_AGAIN = ". Connect again.";

    private enum Life {
        SERVING,
        /** Nobody is let in; clients leave as their requests and transactions end. */
        DRAINING,
        /** The last client has left. */
        DRAINED,
        /** Clients are cut off; the server connections are being closed. */
        STOPPING,
        STOPPED
    }

    /** Replaced on the loop, read by anyone. */
    private volatile BucketSpec spec;

    private final EventLoop loop;
    private final BucketRunner runner;
    private final RelayCounters counters = new RelayCounters();
    private final SlowRequests slowRequests;
    private final SharingClients sharing = new SharingClients(this);
    private final Dedications dedications = new Dedications(this);
    private final ServerAddresses addresses;
    private final ServerReports reports = new ServerReports(this);
    private final Upkeep upkeep = new Upkeep(this);
    private final Steering steering = new Steering(this);
    private final ClientNumbers numbers;
    private final ClientIdentities identities = new ClientIdentities();
    private final News news;
    private final LoginRefusal refusal;
    private final WarmUp warmUp;
    private final PausedPeers paused;
    private final Future<?> sweeps;
    private LongConsumer alsoSwept = _ -> {};

    private Life life = Life.SERVING;
    /** For clients, from {@link Life#DRAINING} on. */
    private String whyEnding = "";
    /** From {@link Life#DRAINING} on. */
    private @Nullable Departures departures;
    /** Is run when the present stage of its end is over. */
    private Runnable whenEnded = () -> {};

    /** A bucket that lives on this loop from now on. Any thread. */
    public BucketLoop(
            BucketSpec spec,
            EventLoop loop,
            Transport transport,
            SocketLimits limits,
            LeaseSource leases,
            ClientNumbers numbers,
            News news) {
        this.spec = spec;
        this.loop = loop;
        this.numbers = numbers;
        this.news = news;
        slowRequests = new SlowRequests(spec.id(), news, counters);
        refusal = new LoginRefusal(spec.id(), news, counters.refusals);
        addresses = new ServerAddresses(spec.id(), spec.dial().servers());
        long origin = System.nanoTime();
        runner = new BucketRunner(
                spec.id(),
                spec.settings(),
                loop,
                () -> System.nanoTime() - origin,
                new PoolOrders(this, transport, limits),
                leases,
                RandomGenerator.getDefault(),
                PooledClient::apart);
        warmUp = new WarmUp(spec.id(), runner, loop.newPromise());
        paused = new PausedPeers(limits.keepAlive().userTimeout());
        sweeps = loop.scheduleAtFixedRate(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    public EventLoop loop() {
        return loop;
    }

    public BucketSpec spec() {
        return spec;
    }

    public BucketRunner runner() {
        return runner;
    }

    public long now() {
        return runner.now();
    }

    public SharingClients sharing() {
        return sharing;
    }

    public Dedications dedications() {
        return dedications;
    }

    /** What the operator does with it. Any thread. */
    public Steering steering() {
        return steering;
    }

    ServerAddresses addresses() {
        return addresses;
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

    /** The number of the next client that is let in. */
    public long nextClient() {
        return numbers.next();
    }

    public ClientIdentities identities() {
        return identities;
    }

    News news() {
        return news;
    }

    /** What is counted of its traffic. */
    public RelayCounters counters() {
        return counters;
    }

    SlowRequests slowRequests() {
        return slowRequests;
    }

    /** Answers clients that are not let in. */
    public LoginRefusal refusal() {
        return refusal;
    }

    /** Whether a client of this bucket can be told that it may have several requests at the same time. Any thread. */
    public boolean grantsMars() {
        return dedications.grantsMars();
    }

    /**
     * Opens the first connections.
     *
     * @param expected whose, as far as that is known
     */
    public void warmUp(@Nullable ServerPool expected) {
        warmUp.begin(expected, spec.settings().warmUp());
    }

    /** Is done when the first connections are there, or not to be had in time. Any thread. */
    public Future<Void> warmedUp() {
        return warmUp.over();
    }

    /**
     * What the bucket is doing at one moment: for people and tests, not for the hot path.
     *
     * @param logins what is remembered of those who share: a user, a secret, and what was negotiated
     * @param server where connections go now
     * @param at when it was taken
     * @param now the same in the bucket's time: nanoseconds since an origin of its own
     */
    public record Glance(
            int clients,
            int logins,
            BucketSnapshot pool,
            PreparedSnapshot prepared,
            RelaySnapshot relay,
            String server,
            Instant at,
            long now) {
        /** A moment in the bucket's time as others know it. */
        public Instant instant(long bucketTime) {
            return at.plusNanos(bucketTime - now);
        }
    }

    public Glance glance(int logins) {
        return new Glance(
                sharing.size() + dedications.size(),
                logins,
                runner.snapshot(),
                sharing.preparedTexts().snapshot(),
                counters.snapshot(),
                addresses.shown(),
                Instant.now(),
                now());
    }

    /** Everything in the bucket, one by one. Any thread. */
    public Future<BucketDetail> detail() {
        Promise<BucketDetail> promise = loop.newPromise();
        loop.execute(new Census(this, promise)::begin);
        return promise;
    }

    /** A client that was let in. */
    public void entered(PooledClient client, ServerPool pool) {
        sharing.entered(client, pool);
        client.enter();
    }

    /** @param also is run with each sweep, and given the time */
    public void sweepAlso(LongConsumer also) {
        alsoSwept = also;
    }

    private void sweep() {
        long now = now();
        try {
            sharing.check(spec.limits(), now);
            dedications.check(spec.limits(), now);
            reports.check(spec.limits(), now);
            alsoSwept.accept(now);
            if (paused.isDue(now)) {
                sharing.lookAt(paused, now);
                dedications.lookAt(paused, now);
                reports.lookAt(paused, now);
            }
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue(ClientLines.BUCKET, spec.id())
                    .setCause(e)
                    .log("bucket {}: checking the time limits of its clients failed", spec.id());
        }
    }

    /**
     * New settings, from now on. Where its server is, how it is spoken to, and how connections are shared can't change
     * while it lives: there the old ones hold. Any thread.
     */
    public void reconfigure(BucketSpec wanted) {
        loop.execute(() -> {
            spec = wanted.asRunning(spec);
            runner.reconfigure(spec.settings());
        });
    }

    /**
     * Lets nobody in any more, and closes each client when no request or transaction of it runs, at a moment that suits it
     * as far as the time allows. Any thread.
     *
     * @param why for the clients
     * @param time how long they are waited for
     * @param whenDone is run when the last has left, unless it is stopped before
     */
    public void drain(String why, Duration time, Runnable whenDone) {
        loop.execute(() -> {
            end(Life.DRAINING, why, whenDone);
            departures = new Departures(this, why, DrainPace.of(time, now()));
            dedications.leave(why);
            clientLeft();
        });
    }

    /**
     * Cuts off the clients that are still there, and closes the server connections. Any thread.
     *
     * @param why for the clients
     * @param whenDone is run when the last connection is closed and its slot given back
     */
    public void stop(String why, Runnable whenDone) {
        loop.execute(() -> {
            end(Life.STOPPING, why, whenDone);
            sharing.cutOff(why);
            dedications.cutOff(why);
            runner.remove();
            steering.giveUp();
        });
    }

    private void end(Life next, String why, Runnable whenDone) {
        if (departures != null) {
            departures.end();
        }
        life = next;
        whyEnding = why;
        whenEnded = whenDone;
    }

    /** Nothing of the bucket is left. */
    void stopped() {
        life = Life.STOPPED;
        sweeps.cancel(false);
        whenEnded.run();
    }

    void clientLeft() {
        if (life == Life.DRAINING && sharing.size() == 0 && dedications.size() == 0) {
            end(Life.DRAINED, whyEnding, whenEnded);
            whenEnded.run();
        }
    }

    /** Why nobody is let in any more, for a client that would come in; null while clients are. */
    public @Nullable String endingAdvice() {
        return switch (life) {
            case SERVING -> null;
            case DRAINING, DRAINED, STOPPING, STOPPED -> whyEnding + CONNECT_AGAIN;
        };
    }

    /** The password of the bucket's service account could not be had. */
    public void tellNoSecret(Throwable why) {
        reports.noSecret(why);
    }

    /** @param why what the server did instead of answering a login */
    public String adviceOfFailedLogin(String why) {
        return Advice.ofFailedLogin(spec, addresses.shown(), why);
    }

    public String advice(Refusal why) {
        return Advice.of(why, spec, runner, addresses.shown(), reports.complaint());
    }
}
