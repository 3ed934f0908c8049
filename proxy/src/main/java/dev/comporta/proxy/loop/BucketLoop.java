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
 * carries out the core's orders; {@link SharingClients}, {@link Dedications} and {@link ServerReports} feed in the events of
 * clients and servers. Everything here, and everything it holds, is confined to that loop, except where noted.
 */
public final class BucketLoop {
    private static final Logger log = LoggerFactory.getLogger(BucketLoop.class);

    /** How often the timeouts of clients and servers are checked, which are of seconds. */
    private static final long SWEEP_SECONDS = 1;

    static final String CONNECT_AGAIN = ". Connect again.";

    private enum Life {
        SERVING,
        /** No client is admitted; connected ones are closed as their requests and transactions end. */
        DRAINING,
        /** The last client has been closed. */
        DRAINED,
        /** All clients are closed; the server connections are being closed. */
        STOPPING,
        STOPPED
    }

    /** Replaced on the loop, read on any thread. */
    private volatile BucketSpec spec;

    private final EventLoop loop;
    private final BucketRunner runner;
    private final RelayCounters counters = new RelayCounters();
    private final SlowRequests slowRequests;
    private final SharingClients sharing = new SharingClients(this);
    private final Dedications dedications = new Dedications(this);
    private final CheckTurns checks = new CheckTurns(() -> runner().loginShare());
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
    /** The reason for clients, from {@link Life#DRAINING} on. */
    private String whyEnding = "";
    /** From {@link Life#DRAINING} on. */
    private @Nullable Departures departures;
    /** Runs when the present stage of draining or stopping ends. */
    private Runnable whenEnded = () -> {};

    /** Creates a bucket, which belongs to this loop from now on. Any thread. */
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

    /** The turns of logins that the server has to check. */
    public CheckTurns checks() {
        return checks;
    }

    /** The operator's orders. Any thread. */
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

    /** Returns the number of the next client that is admitted. */
    public long nextClient() {
        return numbers.next();
    }

    public ClientIdentities identities() {
        return identities;
    }

    News news() {
        return news;
    }

    /** The counters of its traffic. */
    public RelayCounters counters() {
        return counters;
    }

    SlowRequests slowRequests() {
        return slowRequests;
    }

    /** Answers clients that are refused. */
    public LoginRefusal refusal() {
        return refusal;
    }

    /** Whether MARS may be granted to a client of this bucket. Any thread. */
    public boolean grantsMars() {
        return dedications.grantsMars();
    }

    /**
     * Opens the first connections.
     *
     * @param expected the pool whose connections to open; null if not known
     */
    public void warmUp(@Nullable ServerPool expected) {
        warmUp.begin(expected, spec.settings().warmUp());
    }

    /** Completes when the first connections are open, or the time for that has expired. Any thread. */
    public Future<Void> warmedUp() {
        return warmUp.over();
    }

    /**
     * The state of a bucket at one moment: for people and tests, not for the hot path.
     *
     * @param logins the number of pools kept for sharing clients: user, secret and login profile
     * @param server the server in use
     * @param at the time of the snapshot
     * @param now the same in the bucket's time: nanoseconds since its own origin
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
        /** Converts the bucket's time to the time of the clock. */
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

    /** Every client, waiter and server connection of the bucket. Any thread. */
    public Future<BucketDetail> detail() {
        Promise<BucketDetail> promise = loop.newPromise();
        loop.execute(new Census(this, promise)::begin);
        return promise;
    }

    /** Takes a client that was admitted. */
    public void entered(PooledClient client, ServerPool pool) {
        sharing.entered(client, pool);
        client.enter();
    }

    /** @param also runs with each sweep, with the present time */
    public void sweepAlso(LongConsumer also) {
        alsoSwept = also;
    }

    private void sweep() {
        long now = now();
        try {
            sharing.check(spec.limits(), now);
            dedications.check(spec.limits(), now);
            checks.sweep(spec.settings().queue().timeout().toNanos(), now);
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
     * Applies new settings. The server, how to connect to it and how connections are shared can't change while the bucket
     * lives: those stay as they are. Any thread.
     */
    public void reconfigure(BucketSpec wanted) {
        loop.execute(() -> {
            spec = wanted.asRunning(spec);
            runner.reconfigure(spec.settings());
        });
    }

    /**
     * Admits no more clients, and closes each client when no request or transaction of it runs, if possible within the time
     * at a moment that suits it. Any thread.
     *
     * @param why the reason, for the clients
     * @param time the time that clients may take
     * @param whenDone runs when the last has been closed, unless the bucket is stopped before
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
     * Closes the remaining clients and the server connections. Any thread.
     *
     * @param why the reason, for the clients
     * @param whenDone runs when the last connection is closed and its slot returned
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

    /** The bucket has no connections any more. */
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

    /** Why no client is admitted any more, as an error text; null while clients are. */
    public @Nullable String endingAdvice() {
        return switch (life) {
            case SERVING -> null;
            case DRAINING, DRAINED, STOPPING, STOPPED -> whyEnding + CONNECT_AGAIN;
        };
    }

    /** Reports that the service account's password could not be obtained. */
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
