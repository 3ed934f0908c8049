package dev.comporta.proxy.attach;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.BucketSnapshot;
import dev.comporta.pool.CloseReason;
import dev.comporta.pool.HealthState;
import dev.comporta.pool.LeasePort;
import dev.comporta.pool.OpenFailure;
import dev.comporta.pool.Orders;
import dev.comporta.pool.PinReason;
import dev.comporta.pool.Pool;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.attach.BucketSpec.PoolMode;
import dev.comporta.proxy.dedicated.DedicatedClient;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.relay.ClientHost;
import dev.comporta.proxy.relay.ClientRequest;
import dev.comporta.proxy.relay.ClientSession;
import dev.comporta.proxy.relay.ServerSession;
import dev.comporta.proxy.session.SessionState;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bucket on its event loop: carries out the pool's orders with sockets, and tells the pool what happens on them.
 * Everything here, and everything it holds, is confined to that loop.
 */
public final class BucketLoop
        implements Orders, ClientHost, ServerSession.Owner, ServerOpening.Outcome, LeaseSource.BucketThread {
    /** How often the pool hears of the time when nothing else happens: its idle times are of minutes. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String STOPS = "this instance stops";

    private static final Logger log = LoggerFactory.getLogger(BucketLoop.class);

    private final BucketSpec spec;
    private final EventLoop loop;
    private final Transport transport;
    private final LeasePort leases;
    private final Bucket bucket;
    private final Admission admission;
    private final Dedications dedications;
    private final Upkeep upkeep;
    private final WarmUp warmUp;
    private final long origin = System.nanoTime();

    private long tickAt = Long.MAX_VALUE;
    private @Nullable Future<?> tick;
    private final Set<ClientSession> clients = new HashSet<>();
    private long sweepAt = TICK_NANOS;
    private boolean draining;
    private @Nullable Runnable whenDrained;
    private @Nullable Runnable whenStopped;

    /** A bucket that lives on this loop from now on. */
    public static BucketLoop on(EventLoop loop, BucketSpec spec, Transport transport, LeaseSource leases) {
        BucketLoop made = new BucketLoop(spec, loop, transport, leases);
        loop.execute(made::arm);
        return made;
    }

    private BucketLoop(BucketSpec spec, EventLoop loop, Transport transport, LeaseSource leaseSource) {
        this.spec = spec;
        this.loop = loop;
        this.transport = transport;
        leases = leaseSource.leasesOf(spec.id(), this);
        RandomGenerator random = RandomGenerator.getDefault();
        bucket = new Bucket(spec.id(), spec.settings(), this, leases, random, SessionState::apart, 0);
        warmUp = new WarmUp(this, loop.newPromise());
        upkeep = new Upkeep(this, spec.tracking());
        admission = new Admission(this, spec);
        dedications = new Dedications(this, spec);
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

    Dedications dedications() {
        return dedications;
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

    @Override
    public void warmedUp(Pool pool, int ready, int wanted) {
        warmUp.done(pool, ready, wanted);
    }

    @Override
    public void healthChanged(Bucket which, HealthState health) {
        if (health == HealthState.DOWN) {
            warmUp.serverIsDown();
        }
    }

    /** What the bucket is doing at one moment. Taken on the loop: for people and tests, not for the hot path. */
    public record Glance(int clients, BucketSnapshot pool) {}

    /** To be called from other threads than the loop's own. */
    public Future<Glance> glance() {
        return loop.submit(() -> new Glance(clients.size() + dedications.size(), bucket.snapshot()));
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
        long due = Math.min(bucket.nextDeadline(), now() + TICK_NANOS);
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
            // A copy: who is closed leaves the set.
            List.copyOf(clients).forEach(client -> client.check(spec.limits(), now));
            dedications.check(spec.limits(), now);
        }
        arm();
    }

    /**
     * Lets nobody in any more, and each client go when no request or transaction of it runs. Call it on the loop.
     *
     * @param whenDone is run when the last has left
     */
    public void drain(Runnable whenDone) {
        draining = true;
        whenDrained = whenDone;
        List.copyOf(clients).forEach(client -> client.leave(STOPS));
        tellDrained();
    }

    /**
     * Cuts off whoever is still there, and closes the server connections. Call it on the loop.
     *
     * @param whenDone is run when the last of them is closed and its slot given back
     */
    public void stop(Runnable whenDone) {
        draining = true;
        whenStopped = whenDone;
        List.copyOf(clients).forEach(client -> client.cutOff(STOPS));
        dedications.cutOff(STOPS);
        bucket.remove(now());
        arm();
    }

    @Override
    public void drained(Bucket removed) {
        if (whenStopped != null) {
            whenStopped.run();
        }
    }

    void tellDrained() {
        Runnable told = whenDrained;
        if (told != null && clients.isEmpty() && dedications.size() == 0) {
            whenDrained = null;
            told.run();
        }
    }

    boolean isDraining() {
        return draining;
    }

    // The pool's orders.

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {
        if (!connection.equals(waiter.connection())) {
            // It was lost between the order's making and its giving: the client has to ask again.
            lost(waiter);
            return;
        }
        switch (waiter.client()) {
            case ClientRequest request -> request.attached(Upkeep.session(connection));
            case LoginCheck check -> {
                bucket.release(connection, Upkeep.session(connection).sessionState(), event());
                admission.accepted(check);
            }
            case DedicatedClient client -> dedications.attached(client, connection);
            default -> throw new IllegalStateException("attached " + waiter.client());
        }
    }

    private void lost(Waiter waiter) {
        switch (waiter.client()) {
            case ClientRequest request -> acquire(request);
            case LoginCheck check -> admission.refused(check, Refusal.SERVER_UNAVAILABLE);
            case DedicatedClient client -> dedications.ask(client);
            default -> throw new IllegalStateException("attached " + waiter.client());
        }
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        switch (waiter.client()) {
            case ClientRequest request -> request.refused(why);
            case LoginCheck check -> admission.refused(check, why);
            case DedicatedClient client -> dedications.refused(client, why);
            default -> throw new IllegalStateException("refused " + waiter.client());
        }
    }

    @Override
    public void open(ServerConnection connection) {
        ServerOpening opening = new ServerOpening(connection, this);
        connection.attach(opening);
        opening.dial(loop, transport, spec.dial());
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        switch (connection.attachment()) {
            case ServerSession server -> server.close();
            case DedicatedServer server -> server.close();
            case ServerOpening opening -> opening.callOff();
            case null, default -> throw new IllegalStateException("close " + connection);
        }
    }

    @Override
    public void reset(ServerConnection connection) {
        upkeep.reset(connection);
    }

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {
        upkeep.validate(connection, how);
    }

    // What becomes of a connection that was to be opened.

    @Override
    public void connected(ServerConnection connection) {
        bucket.connected(connection, now());
    }

    @Override
    public void opened(ServerPool pool, ServerSession server) {
        server.connection().attach(server);
        pool.accepted(server.login(), now());
        upkeep.learn(server, () -> ready(server.connection(), server.sessionState()));
    }

    @Override
    public void greeted(DedicatedServer server) {
        server.connection().attach(server);
        ready(server.connection(), null);
    }

    private void ready(ServerConnection connection, @Nullable SessionState state) {
        bucket.opened(connection, state, event());
        arm();
    }

    @Override
    public void rejected(ServerPool pool, ServerConnection connection, LoginResponse response) {
        pool.rejected(response);
        log.warn("bucket {}: the server rejects {}: {}", spec.id(), connection.pool(), response.error());
        bucket.openFailed(connection, OpenFailure.LOGIN_REJECTED, response.error(), now());
        warmUp.rejected(pool.pool());
        arm();
    }

    @Override
    public void failed(ServerConnection connection, String why) {
        log.warn(
                "bucket {}: {}:{} could not be reached: {}",
                spec.id(),
                spec.dial().host(),
                spec.dial().port(),
                why);
        bucket.openFailed(connection, OpenFailure.UNREACHABLE, why, now());
        arm();
    }

    // What server connections tell.

    @Override
    public void serverClosed(ServerSession server) {
        bucket.closed(server.connection(), now());
        arm();
    }

    @Override
    public void abandonedEnded(ServerSession server) {
        reset(server.connection());
    }

    // What clients want.

    @Override
    public void acquire(ClientRequest request) {
        bucket.request(request.waiter(), request.pool(), request.sessionState(), event());
        if (request.waiter().status() == Waiter.Status.WAITING) {
            arm();
        }
    }

    @Override
    public boolean cancel(ClientRequest request) {
        return bucket.cancel(request.waiter(), now());
    }

    @Override
    public void release(ServerSession server, SessionState left) {
        bucket.release(server.connection(), left, event());
    }

    @Override
    public void releaseDirty(ServerSession server) {
        bucket.releaseDirty(server.connection(), now());
        arm();
    }

    @Override
    public void abandon(ServerSession server) {
        server.abandon();
        releaseDirty(server);
    }

    @Override
    public void discard(ServerSession server) {
        server.close();
    }

    @Override
    public void pin(ServerSession server, PinReason reason) {
        bucket.pin(server.connection(), reason, now());
    }

    @Override
    public void unpin(ServerSession server) {
        bucket.unpin(server.connection(), now());
    }

    @Override
    public void left(ClientSession client) {
        clients.remove(client);
        bucket.forget(client.request().waiter());
        tellDrained();
    }

    void entered(ClientSession client) {
        clients.add(client);
    }

    @Override
    public boolean mustProbe() {
        return upkeep.mustProbe();
    }

    @Override
    public boolean isSessionMode() {
        return spec.poolMode() == PoolMode.SESSION;
    }

    @Override
    public boolean keepsResults() {
        return spec.pinIdentity();
    }

    @Override
    public String advice(Refusal why) {
        return Advice.of(why, spec, bucket);
    }

    @Override
    public String timeoutAdvice() {
        return Advice.ofQueryTimeout(spec);
    }
}
