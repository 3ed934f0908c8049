package dev.comporta.pool;

import dev.comporta.pool.connection.Lifetime;
import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.health.Health;
import dev.comporta.pool.health.Room;
import dev.comporta.pool.list.Chain;
import dev.comporta.pool.rate.ConnectPermits;
import dev.comporta.pool.rate.RateLimit;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.slot.Slots;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.SlotHold;
import dev.comporta.pool.stats.Tallies;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Opens and closes connections. An opening needs a slot, then the connect rate's permission; then the carrier gets the order. */
final class Openings {
    private final Conditions conditions;
    private final Ledger ledger;
    private final Slots slots;
    private final Health health;
    private final Room room;
    private final PoolTable pools;
    private final OrderRing ring;
    private final Tallies tallies;

    final RateLimit rate = new RateLimit();
    final ConnectPermits permits;

    Openings(
            Conditions conditions,
            Ledger ledger,
            Slots slots,
            Health health,
            Room room,
            PoolTable pools,
            OrderRing ring,
            Tallies tallies,
            boolean metered) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.slots = slots;
        this.health = health;
        this.room = room;
        this.pools = pools;
        this.ring = ring;
        this.tallies = tallies;
        permits = new ConnectPermits(metered);
        reconfigure();
    }

    void reconfigure() {
        ConnectRateSettings settings = conditions.tuning().settings.connectRate();
        rate.configure(settings.perSecond(), settings.burst(), conditions.now());
    }

    /** Notes that a connection of this pool is wanted, for each slot that is asked for. */
    void want(Pool pool, int n) {
        for (int i = 0; i < n; i++) {
            ledger.create(pool);
        }
    }

    /** Gives a connection of this pool a free slot, or an overflow permission. */
    void start(Pool pool, SlotHold hold, Trial.Occasion occasion) {
        ServerConnection c = ledger.wantedFor(pool);
        if (c == null) {
            c = ledger.create(pool);
        }
        slots.assign(c.slot, hold);
        c.trial.occasion = occasion;
        ledger.count(c);
        ledger.move(c, ConnectionState.RATE_LIMITED);
    }

    /**
     * Whether a connection that got a slot now would be opened at once. Otherwise no working connection is closed for its
     * slot.
     */
    boolean mayStartNow() {
        int ahead = ledger.rateLimited.size() + ledger.heirs;
        return health.isUp()
                && health.mayConnect()
                && allowance() > 0
                && ledger.opening.size() + ahead < room.window()
                && rate.available(conditions.now()) > ahead;
    }

    /**
     * How many more connections the server's room allows to start. While the server is full, one at a time finds out whether
     * there is room again; others would only hold a slot, or a place in the fleet's line, while they wait for its result.
     */
    int allowance() {
        return room.isFull() ? Math.max(0, mostUnderWay() - underWay()) : Integer.MAX_VALUE;
    }

    boolean isServerFull() {
        return room.isFull();
    }

    /** How many connections the server's room allows to be on their way or asked for at the same time. */
    int mostUnderWay() {
        return room.isFull() ? room.isTrialDue() ? 1 : 0 : Integer.MAX_VALUE;
    }

    private int underWay() {
        return ledger.opening.size() + ledger.rateLimited.size() + ledger.heirs + slots.asked() + slots.inLine();
    }

    /** While the server is full and its next trial is not due, connections that are not being opened yet give up their slots. */
    void yieldToFullServer() {
        if (!room.isTrialDue()) {
            dropAll();
        }
    }

    /** Closes a connection so that this pool gets a new one with its slot. */
    void closeFor(ServerConnection victim, Pool pool, CloseReason why) {
        ledger.makeHeir(ledger.create(pool), victim);
        close(victim, why);
    }

    void close(ServerConnection c, CloseReason why) {
        c.closeReason = why;
        ledger.move(c, ConnectionState.CLOSING);
        ring.close(c, why);
    }

    void closeIdle(CloseReason why) {
        for (ServerConnection c = ledger.idle.first(); c != null; c = ledger.idle.first()) {
            close(c, why);
        }
    }

    /** Drops a connection that was never ordered to be opened. */
    void drop(ServerConnection c) {
        ServerConnection from = c.slotFrom;
        if (from != null) {
            from.heir = null;
            ledger.passCount(c, from);
        }
        ledger.uncount(c);
        ledger.move(c, ConnectionState.CLOSED);
        slots.release(c.slot);
        pools.forgetIfOver(c.pool);
    }

    /** The connection was closed as ordered, or the server or the network ended it. */
    void ended(ServerConnection c) {
        if (c.state != ConnectionState.CLOSING) {
            c.closeReason = CloseReason.LOST;
        }
        gone(c);
    }

    /** The connection is closed. Its slot goes to its heir, to the bucket or to the fleet. */
    void gone(ServerConnection c) {
        ServerConnection heir = c.heir;
        c.heir = null;
        ledger.uncount(c);
        ledger.move(c, ConnectionState.CLOSED);
        tallies.closed.add(c.closeReason, 1);
        if (c.life.age != Lifetime.Age.UNBORN) {
            c.pool.counters.closed++;
            c.pool.counters.lifeNanos += conditions.now() - c.life.createdAt;
        }
        if (heir != null) {
            slots.pass(c.slot, heir.slot);
            heir.trial.inPlace = true;
            ledger.move(heir, ConnectionState.RATE_LIMITED);
        } else {
            slots.release(c.slot);
        }
        pools.forgetIfOver(c.pool);
    }

    /** A connection that has a slot, waits for the connect rate, and is needed by no waiter. */
    @Nullable
    ServerConnection spare(@Nullable Login of) {
        ServerConnection c = ledger.rateLimited.first();
        while (c != null && (c.pool.surplus == 0 || (of != null && c.pool.login != of))) {
            c = c.inStage.after();
        }
        return c;
    }

    /** Opens as many connections as may be opened now. */
    void pump() {
        int openable = openable();
        while (openable > 0 && permits.isThere()) {
            openNext();
            openable = openable();
        }
        permits.lapse();
        int lacking = permits.ask(openable);
        if (lacking > 0) {
            ring.askConnects(lacking);
        }
    }

    /** How many of those that wait for the connect rate could be opened now, if there were permits for them. */
    private int openable() {
        return health.mayConnect() && room.isTrialDue() ? Math.min(mostToOpen(), rate.available(conditions.now())) : 0;
    }

    /** The same apart from the time: how many once the connect rate and the pause after a failure allow it. */
    private int mostToOpen() {
        int opening = ledger.opening.size();
        int atOnce = health.isUp() ? room.window() : Math.min(room.window(), 1); // half open: one at a time
        return Math.min(ledger.rateLimited.size(), Math.max(0, atOnce - opening));
    }

    private void openNext() {
        ServerConnection c = Objects.requireNonNull(ledger.rateLimited.first());
        rate.take(conditions.now());
        permits.take();
        c.stageSince = conditions.now();
        c.trial.newsAtStart = health.news();
        c.life.generation = conditions.generation(); // a reconnect before this moment does not concern it
        ledger.move(c, ConnectionState.CONNECTING);
        ring.open(c);
    }

    /** Closes the connections of this pool that no client uses. */
    void retire(Pool pool) {
        dropAllOf(pool);
        for (ServerConnection c = pool.idle.top(); c != null; c = pool.idle.top()) {
            close(c, CloseReason.REMOVED);
        }
    }

    /** Drops the connections of this pool that are not open yet. */
    void dropAllOf(Pool pool) {
        dropAll(ledger.leasing, pool);
        dropAll(ledger.rateLimited, pool);
    }

    void dropAll() {
        dropAll(ledger.leasing, null);
        dropAll(ledger.rateLimited, null);
    }

    private void dropAll(Chain<ServerConnection> list, @Nullable Pool pool) {
        ServerConnection c = list.first();
        while (c != null) {
            ServerConnection next = c.inStage.after();
            if (pool == null || c.pool == pool) {
                drop(c);
            }
            c = next;
        }
    }

    long nextDeadline() {
        ServerConnection c = ledger.opening.first();
        long timeout = c == null ? Long.MAX_VALUE : c.stageSince + conditions.tuning().connectTimeoutNanos;
        return Math.min(timeout, nextConnect());
    }

    /** When the connect rate, or the pause after a failure, allows the next connection to be opened. */
    private long nextConnect() {
        long pause = Math.max(health.isUp() ? health.retryAt() : 0, room.isFull() ? room.retryAt() : 0);
        if (ledger.opening.size() >= room.window()) {
            return Long.MAX_VALUE; // the end of an opening under way will start the next one
        }
        if (ledger.rateLimited.size() > 0 && health.state() != HealthState.DOWN) {
            int next = permits.asked() + 1; // permits already asked for need no deadline: their answer is an event
            return next > Math.min(mostToOpen(), rate.most())
                    ? Long.MAX_VALUE
                    : Math.max(pause, rate.whenAvailable(next));
        }
        boolean mayGiveUp =
                ledger.idle.size() > 0 && (ledger.hungryWaiters + ledger.blockedWaiters > 0 || ledger.agingReady > 0);
        int ahead = ledger.heirs + 1;
        boolean hasRoom = allowance() > 0 && ledger.opening.size() + ledger.heirs < room.window();
        boolean mayStartLater = health.isUp() && !conditions.isPaused() && hasRoom && ahead <= rate.most();
        if (mayGiveUp && mayStartLater && !mayStartNow()) {
            return Math.max(pause, rate.whenAvailable(ahead));
        }
        return Long.MAX_VALUE;
    }
}
