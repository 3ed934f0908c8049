package dev.comporta.pool.run;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.BucketControl;
import dev.comporta.pool.ConnectionEvents;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.lease.LeasedBucket;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.slot.LeaseEvents;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.WaiterSnapshot;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A bucket on its thread, with its clock. The carrier of a bucket reports each event here: the runner dates it, enforces
 * the lease before it, and sets its alarm for the bucket's next deadline afterwards. The bucket can't be reached
 * otherwise, so no event is without its time and no deadline is missed.
 *
 * <p>Confined to the executor's only thread, except {@link #execute}. Events may be reported from inside {@link Orders}.
 */
public final class BucketRunner implements LeasedBucket {
    private final ScheduledExecutorService thread;
    private final LongSupplier clock;
    private final LeasePort leases;
    private final Bucket bucket;
    private final BucketControl control;
    private final ConnectionEvents connectionEvents;
    private final LeaseEvents leaseEvents;
    private final Alarm alarm;

    /**
     * @param thread its only thread is the bucket's
     * @param clock the bucket's time: nanoseconds since an origin of the caller's choice, never negative
     * @param random for lifetimes and pauses
     * @param distance how far a connection's session is from what a client wants
     */
    @SuppressWarnings("this-escape") // the store answers only after joined()
    public BucketRunner(
            String id,
            BucketSettings settings,
            ScheduledExecutorService thread,
            LongSupplier clock,
            Orders orders,
            LeaseSource source,
            RandomGenerator random,
            SessionDistance distance) {
        this.thread = thread;
        this.clock = clock;
        leases = source.leasesOf(id, this);
        bucket = new Bucket(id, settings, orders, leases, random, distance, clock.getAsLong());
        control = bucket.control();
        connectionEvents = bucket.connectionEvents();
        leaseEvents = bucket.leaseEvents();
        alarm = new Alarm(thread, clock, () -> happened(bucket::tick));
        leases.joined();
    }

    // Clients.

    /** See {@link Bucket#request}. */
    public void request(Waiter waiter, Pool pool, @Nullable Object wantedState) {
        try {
            bucket.request(waiter, pool, wantedState, enforced());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    /** See {@link Bucket#requestLogin}. */
    public void requestLogin(Waiter waiter, Pool pool, @Nullable Object wantedState) {
        happened(at -> bucket.requestLogin(waiter, pool, wantedState, at));
    }

    /** See {@link Bucket#cancel}. */
    public boolean cancel(Waiter waiter) {
        try {
            return bucket.cancel(waiter, enforced());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    /** See {@link Bucket#forget}. */
    public void forget(Waiter waiter) {
        happened(at -> bucket.forget(waiter, at));
    }

    /** See {@link Bucket#release(ServerConnection, Object, boolean, long)}. */
    public void release(ServerConnection c, @Nullable Object state, boolean clean) {
        try {
            bucket.release(c, state, clean, enforced());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    /** See {@link Bucket#releaseDirty}. */
    public void releaseDirty(ServerConnection c) {
        happened(at -> bucket.releaseDirty(c, at));
    }

    /** See {@link Bucket#pin}. */
    public void pin(ServerConnection c, PinReason reason) {
        try {
            bucket.pin(c, reason, enforced());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    /** See {@link Bucket#unpin}. */
    public void unpin(ServerConnection c) {
        try {
            bucket.unpin(c, enforced());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    /** Whether a client that has this connection, and has not used it yet, may use it: not if its lease has expired meanwhile. */
    public boolean mayUse(ServerConnection c) {
        try {
            leases.enforce();
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
        return !bucket.isRevoked(c);
    }

    // Server connections.

    /** See {@link ConnectionEvents#connected}. */
    public void connected(ServerConnection c) {
        happened(at -> connectionEvents.connected(c, at));
    }

    /** See {@link ConnectionEvents#opened}. */
    public void opened(ServerConnection c, @Nullable Object state) {
        happened(at -> connectionEvents.opened(c, state, at));
    }

    /** See {@link ConnectionEvents#openFailed}. */
    public void openFailed(ServerConnection c, OpenFailure failure, String why) {
        happened(at -> connectionEvents.openFailed(c, failure, why, at));
    }

    /** See {@link ConnectionEvents#openBroken}. */
    public void openBroken(ServerConnection c, OpenFailure failure, String why) {
        happened(at -> connectionEvents.openBroken(c, failure, why, at));
    }

    /** See {@link ConnectionEvents#broken}. */
    public void broken(ServerConnection c) {
        happened(at -> connectionEvents.broken(c, at));
    }

    /** See {@link ConnectionEvents#closedUnseen}. */
    public void closedUnseen(ServerConnection c) {
        happened(at -> connectionEvents.closedUnseen(c, at));
    }

    /** See {@link ConnectionEvents#closed}. */
    public void closed(ServerConnection c) {
        happened(at -> connectionEvents.closed(c, at));
    }

    // The end of a reset, or of a check: see ConnectionEvents.
    public void resetDone(ServerConnection c, boolean clean) {
        happened(at -> connectionEvents.resetDone(c, clean, at));
    }

    public void notResettable(ServerConnection c) {
        happened(at -> connectionEvents.notResettable(c, at));
    }

    public void validated(ServerConnection c, boolean works) {
        happened(at -> connectionEvents.validated(c, works, at));
    }

    // The operator.

    /** See {@link BucketControl#reconfigure}. */
    public void reconfigure(BucketSettings settings) {
        happened(at -> control.reconfigure(settings, at));
    }

    /** See {@link BucketControl#warmUp}. */
    public void warmUp(Pool pool, int connections, long deadline) {
        happened(at -> control.warmUp(pool, connections, deadline, at));
    }

    /** See {@link BucketControl#pause}. */
    public void pause() {
        happened(control::pause);
    }

    /** See {@link BucketControl#resume}. */
    public void resume() {
        happened(control::resume);
    }

    /** See {@link BucketControl#reconnect}. */
    public void reconnect() {
        happened(control::reconnect);
    }

    /** See {@link BucketControl#retire}. */
    public void retire(Pool pool) {
        happened(at -> control.retire(pool, at));
    }

    /** See {@link BucketControl#remove}. */
    public void remove() {
        happened(control::remove);
    }

    // The lease store. It enforces the lease itself before it answers.

    @Override
    public void granted(int slots) {
        answered(at -> leaseEvents.granted(slots, at));
    }

    @Override
    public void queued(int slots) {
        answered(at -> leaseEvents.queued(slots, at));
    }

    @Override
    public void denied(int slots) {
        answered(at -> leaseEvents.denied(slots, at));
    }

    @Override
    public void withdrawn(int slots) {
        answered(at -> leaseEvents.withdrawn(slots, at));
    }

    @Override
    public void revoked(int slots) {
        answered(at -> leaseEvents.revoked(slots, at));
    }

    @Override
    public void demanded(int slots) {
        answered(at -> leaseEvents.demanded(slots, at));
    }

    @Override
    public void connectsAllowed(int connects) {
        answered(at -> leaseEvents.connectsAllowed(connects, at));
    }

    @Override
    public void limitRaised(int limit) {
        answered(at -> leaseEvents.limitRaised(limit, at));
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    // State and statistics.

    @Override
    public long now() {
        return clock.getAsLong();
    }

    @Override
    public BucketSettings settings() {
        return bucket.settings();
    }

    @Override
    public int idleSince(long time) {
        return bucket.idleSince(time);
    }

    /** See {@link Bucket#pool}. A new pool is an event too: it has a deadline, after which it is forgotten if no client uses it. */
    public Pool pool(Object key, String login) {
        try {
            return bucket.pool(key, login);
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    /** See {@link Bucket#knows}. */
    public boolean knows(Pool pool) {
        return bucket.knows(pool);
    }

    /** See {@link Bucket#loginShare}. */
    public int loginShare() {
        return bucket.loginShare();
    }

    public HealthState health() {
        return bucket.health();
    }

    /** See {@link Bucket#isFailing}. */
    public boolean isFailing() {
        return bucket.isFailing();
    }

    /** See {@link Bucket#failingSince}. */
    public long failingSince() {
        return bucket.failingSince();
    }

    /** See {@link Bucket#isFull}. */
    public boolean isFull() {
        return bucket.isFull();
    }

    /** See {@link Bucket#fullSince}. */
    public long fullSince() {
        return bucket.fullSince();
    }

    /** See {@link Bucket#fullReason}. */
    public String fullReason() {
        return bucket.fullReason();
    }

    /** See {@link Bucket#healthReason}. */
    public String healthReason() {
        return bucket.healthReason();
    }

    public boolean isPaused() {
        return bucket.isPaused();
    }

    public boolean isDrained() {
        return bucket.isDrained();
    }

    /** See {@link Bucket#snapshot}. */
    public BucketSnapshot snapshot() {
        return bucket.snapshot();
    }

    /** See {@link Bucket#waiters}. */
    public List<WaiterSnapshot> waiters() {
        return bucket.waiters();
    }

    /** See {@link Bucket#connections}. */
    public List<ServerConnection> connections() {
        return bucket.connections();
    }

    // Time.

    /** When the alarm is set to go off; {@link Long#MAX_VALUE} if nothing will be due. */
    public long armedFor() {
        return alarm.armedFor();
    }

    private long enforced() {
        leases.enforce();
        return clock.getAsLong();
    }

    /** An event that is not on the hot path, where an allocation does not matter. */
    private void happened(LongConsumer event) {
        try {
            event.accept(enforced());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }

    private void answered(LongConsumer event) {
        try {
            event.accept(clock.getAsLong());
        } finally {
            alarm.setFor(bucket.nextDeadline());
        }
    }
}
