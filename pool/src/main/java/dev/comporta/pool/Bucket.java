package dev.comporta.pool;

import dev.comporta.pool.health.Health;
import dev.comporta.pool.health.Room;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.slot.LeaseEvents;
import dev.comporta.pool.slot.Slots;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.SlotHold;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.Tallies;
import dev.comporta.pool.stats.WaiterSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One database server with its limit: its pools, its queue, its connections. Events go in here; {@link Orders} come out
 * before the event's method returns. An event that is reported from inside an order is handled at once; its orders follow
 * the ones already made.
 *
 * <p>Confined to one thread. Each event carries its time: nanoseconds since an origin that the carrier chooses, never
 * negative. A time earlier than the latest one counts as the latest one. {@link #nextDeadline} says when {@link #tick} is
 * due.
 *
 * <p>An event about a connection that is closing or closed comes too late and changes nothing. An impossible event, such
 * as the release of a connection that no client has, throws {@link IllegalStateException} and changes nothing.
 */
public final class Bucket {
    private final String id;
    final Conditions conditions;

    final OrderRing ring;
    final Tallies tallies;
    final PoolTable pools;
    final Ledger ledger;
    final Slots slots;
    final Health health;
    final Room room;
    final Openings openings;
    private final Attempts attempts;
    final LoginLane lane;
    private final Checks checks;
    private final Usage usage;
    final Dispatcher dispatcher;
    private final Placement placement;
    private final Coverage coverage;
    final Reservoir reservoir;
    private final Steward steward;
    private final LeaseEvents leaseEvents;
    private final ConnectionEvents connectionEvents;
    private final BucketControl control;

    /**
     * @param random for lifetimes and pauses; the same seed and the same events make the same orders
     * @param distance how far a connection's session is from what a client wants
     */
    public Bucket(
            String id,
            BucketSettings settings,
            Orders orders,
            LeasePort leases,
            RandomGenerator random,
            SessionDistance distance,
            long now) {
        this.id = id;
        conditions = new Conditions(new Tuning(settings, 0), random, now);
        tallies = new Tallies(now);
        ring = new OrderRing(this, orders, leases);
        ledger = new Ledger(conditions);
        slots = new Slots(conditions, ring);
        room = new Room(conditions, ring::roomChanged);
        health = new Health(conditions, this::isAwaited, this::healthChanged);
        pools = new PoolTable(this, conditions, ledger);
        openings = new Openings(conditions, ledger, slots, health, room, pools, ring, tallies, leases.metersConnects());
        lane = new LoginLane(conditions, ledger, slots);
        checks = new Checks(conditions, ledger, health, openings, ring);
        usage = new Usage(conditions, ledger, tallies);
        dispatcher = new Dispatcher(conditions, ledger, health, pools, openings, checks, lane, ring, tallies, distance);
        attempts = new Attempts(conditions, ledger, health, room, pools, openings, dispatcher, tallies);
        placement = new Placement(conditions, ledger, slots, openings, checks, dispatcher);
        coverage = new Coverage(conditions, ledger, slots, health, openings, dispatcher);
        reservoir = new Reservoir(conditions, ledger, slots, health, pools, openings);
        steward = new Steward(
                conditions,
                ledger,
                slots,
                health,
                pools,
                openings,
                checks,
                dispatcher,
                lane,
                coverage,
                reservoir,
                ring);
        Resumption resumption = new Resumption(ledger, dispatcher, coverage);
        connectionEvents = new ConnectionEvents(
                conditions, ledger, openings, attempts, checks, usage, placement, reservoir, this::settle);
        control = new BucketControl(
                conditions, leases, pools, openings, health, dispatcher, reservoir, resumption, this::settle);
        leaseEvents = new LeaseEvents(
                conditions, slots, openings.permits, () -> ledger.hungryWaiters > 0, control::retune, this::settle);
    }

    /** Whether requests are waiting, and go on waiting while the server is down. */
    private boolean isAwaited() {
        return conditions.tuning().waitsWhenDown && ledger.arrivals.size() + lane.size() > 0;
    }

    private void healthChanged(HealthState to) {
        if (to != HealthState.UP) {
            room.forget();
        }
        ring.healthChanged(to);
    }

    public String id() {
        return id;
    }

    /** The time of the latest event. */
    public long now() {
        return conditions.now();
    }

    public boolean isRemoved() {
        return conditions.isRemoved();
    }

    /** See {@link BucketControl#pause}. */
    public boolean isPaused() {
        return conditions.isPaused();
    }

    /** The operator's commands to this bucket. */
    public BucketControl control() {
        return control;
    }

    /** The events that the carrier reports of server connections. */
    public ConnectionEvents connectionEvents() {
        return connectionEvents;
    }

    /** The events that the lease store reports. */
    public LeaseEvents leaseEvents() {
        return leaseEvents;
    }

    public BucketSettings settings() {
        return conditions.tuning().settings;
    }

    public HealthState health() {
        return health.state();
    }

    /** Why the bucket is not up; empty while it is. */
    public String healthReason() {
        return health.reason();
    }

    /** Whether the bucket is still in its pause of this number, as {@link Conditions#pauses} counts them. */
    boolean isInPause(long pauses) {
        return conditions.isPaused() && conditions.pauses() == pauses;
    }

    /** Whether the server did not answer the latest attempt: the bucket is down, or may go down with the next failures. */
    public boolean isFailing() {
        return health.isFailing();
    }

    /** When the server began to fail; undefined while {@link #isFailing} is false. */
    public long failingSince() {
        return health.failingSince();
    }

    /** Whether the server is full: it had no room for the latest connection. Until it has, one at a time is tried. */
    public boolean isFull() {
        return room.isFull();
    }

    /** When the server became full; undefined while it is not. */
    public long fullSince() {
        return room.since();
    }

    /** The server's message when it was last full; empty if it never was. */
    public String fullReason() {
        return room.reason();
    }

    /** Whether it was removed, and no connection and no slot of it is left. */
    public boolean isDrained() {
        return isRemoved() && ledger.connections() == 0 && slots.held() == 0 && slots.outstanding() == 0;
    }

    /** How many connections have been idle since that time: they could be closed without any client missing them. */
    public int idleSince(long time) {
        return ledger.idleSince(time);
    }

    /** The pool for this key, made if there is none. Callers may keep it: it stays valid even if the bucket forgets it. */
    public Pool pool(Object key, String login) {
        return pools.get(key, login);
    }

    /** Whether the bucket has this pool now: an empty pool that no client has used for a long time is forgotten. */
    public boolean knows(Pool pool) {
        return pools.knows(pool.key);
    }

    /**
     * A client wants a server connection of this pool. The answer is an order: {@link Orders#attach} or
     * {@link Orders#refuse}, now or later.
     *
     * @param wantedState the session state the client is in, as {@link SessionDistance} understands it
     */
    public void request(Waiter waiter, Pool pool, @Nullable Object wantedState, long at) {
        request(waiter, pool, wantedState, false, at);
    }

    /**
     * A client whose credentials the server has not accepted yet wants a server connection of this pool, as a login
     * check. Like {@link #request}, but it waits in the lane for logins, takes no place in the queue, and only a few
     * logins are tried at the same time. The lane has the queue's timeout; the time in the queue is counted separately.
     */
    public void requestLogin(Waiter waiter, Pool pool, @Nullable Object wantedState, long at) {
        request(waiter, pool, wantedState, true, at);
    }

    private void request(Waiter waiter, Pool pool, @Nullable Object wantedState, boolean login, long at) {
        if (waiter.status != Waiter.Status.IDLE) {
            throw new IllegalStateException("A client has one request at a time, this one is " + waiter.status);
        }
        if (pool.bucket != this) {
            throw new IllegalArgumentException(pool + " is not of bucket " + id());
        }
        conditions.advance(at);
        tallies.lastActivityAt = now();
        waiter.wantedState = wantedState;
        waiter.login = login;
        dispatcher.request(waiter, pools.awake(pool));
        settle();
    }

    /**
     * How many connections may be used now for logins that the server has not accepted yet: few while requests wait or no slot is
     * free. For logins that {@link #requestLogin} has given a connection to, and that the server has not judged yet.
     */
    public int loginShare() {
        return lane.share();
    }

    /**
     * The client cancels its request.
     *
     * @return whether it was still waiting; if not, it has a connection, or an order about it is on its way
     */
    public boolean cancel(Waiter waiter, long at) {
        Pool pool = waiter.pool;
        if (waiter.status != Waiter.Status.WAITING || pool == null || pool.bucket != this) {
            return false;
        }
        conditions.advance(at);
        dispatcher.cancel(waiter, pool);
        settle();
        return true;
    }

    /** The client has disconnected: its last connection is no longer kept for it, and is reset now if it is unclean. */
    public void forget(Waiter waiter, long at) {
        ServerConnection last = waiter.lastConnection;
        if (last != null && last.waiter != waiter) {
            conditions.advance(at);
            last.partFromLastWaiter();
            if (last.state == ConnectionState.READY && last.session.unclean) {
                checks.reset(last);
            }
            settle();
        }
    }

    /** The client is done with its connection, and has left nothing in the session but this state. */
    public void release(ServerConnection c, @Nullable Object state, long at) {
        release(c, state, true, at);
    }

    /**
     * The client is done with its connection, outside of a transaction, and the server has answered everything.
     *
     * @param state the session state it leaves behind
     * @param clean whether nothing but that state can have been left since the last reset. If something may have been
     *     (locks, tables), the connection still goes to a waiter as it is, and {@link ServerConnection#changedHands} tells
     *     the carrier to reset it with that client's first message; if no request waits, it is reset when its client
     *     leaves, or when it has rested for a moment
     */
    public void release(ServerConnection c, @Nullable Object state, boolean clean, long at) {
        if (connectionEvents.concerns(c, c.state == ConnectionState.ATTACHED, "be released", at)) {
            usage.release(c, state, clean);
            health.answered();
            placement.released(c);
            settle();
        }
    }

    /** The client left its connection in a state that no other client may see, for example in a transaction: it is reset first. */
    public void releaseDirty(ServerConnection c, long at) {
        if (connectionEvents.concerns(c, c.state.isInUse(), "be released", at)) {
            usage.releaseDirty(c);
            checks.reset(c);
            settle();
        }
    }

    /** Whether this connection will close when it is released, because its slot was revoked. */
    public boolean isRevoked(ServerConnection c) {
        return slots.revoked() > 0 && c.slot.hold() == SlotHold.OWNED;
    }

    /** The client must keep its connection after its request. A second reason replaces the first. */
    public void pin(ServerConnection c, PinReason reason, long at) {
        if (connectionEvents.concerns(c, c.state.isInUse(), "be pinned", at)) {
            usage.pin(c, reason);
            settle();
        }
    }

    public void unpin(ServerConnection c, long at) {
        if (connectionEvents.concerns(c, c.state == ConnectionState.PINNED, "be unpinned", at)) {
            usage.unpin(c);
            settle();
        }
    }

    /** Does what is due. Must be called at {@link #nextDeadline}; may be called at any time. */
    public void tick(long at) {
        conditions.advance(at);
        dispatcher.expireWaiters();
        attempts.expire();
        checks.expire();
        reservoir.tick();
        checks.resetRested();
        checks.checkIdle();
        settle();
    }

    /** When {@link #tick} must be called next, at the latest; {@link Long#MAX_VALUE} for not at all. */
    public long nextDeadline() {
        if (ring.isHeldUp()) {
            return now();
        }
        long next = Math.min(dispatcher.nextDeadline(), openings.nextDeadline());
        next = Math.min(next, Math.min(checks.nextDeadline(), health.nextDeadline()));
        next = Math.min(next, Math.min(reservoir.nextDeadline(), coverage.nextDeadline()));
        return Math.min(next, Math.min(pools.nextDeadline(), room.nextDeadline()));
    }

    /** The bucket's state and statistics. Copies them: not for the hot path. */
    public BucketSnapshot snapshot() {
        return Snapshots.of(this);
    }

    /** The waiting requests, the oldest first. */
    public List<WaiterSnapshot> waiters() {
        return Snapshots.waiters(this);
    }

    /** Its connections in any state. A copy; the connections themselves belong to the bucket's thread. */
    public List<ServerConnection> connections() {
        List<ServerConnection> all = new ArrayList<>(ledger.connections());
        for (int i = 0; i < ledger.connections(); i++) {
            all.add(ledger.connection(i));
        }
        return all;
    }

    void settle() {
        steward.settle();
        ring.give();
    }
}
