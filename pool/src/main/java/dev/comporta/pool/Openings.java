package dev.comporta.pool;

import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.state.SlotHold;
import org.jspecify.annotations.Nullable;

/** How connections come to be and end: slot first, then the connect rate, then the carrier. */
final class Openings {
    private final Bucket bucket;
    private final Ledger ledger;
    private final Slots slots;
    final RateLimit rate = new RateLimit();
    final Allowance allowance;

    Openings(Bucket bucket, boolean metered) {
        this.bucket = bucket;
        this.ledger = bucket.ledger;
        this.slots = bucket.slots;
        allowance = new Allowance(metered);
        reconfigure();
    }

    void reconfigure() {
        ConnectRateSettings settings = bucket.tuning.settings.connectRate();
        rate.configure(settings.perSecond(), settings.burst(), bucket.now());
    }

    /** Notes that a connection of this pool is wanted, for each slot that is asked for. */
    void want(Pool pool, int n) {
        for (int i = 0; i < n; i++) {
            ledger.create(pool);
        }
    }

    /** Gives a connection of this pool a free slot, or the overflow's leave. */
    void start(Pool pool, SlotHold hold, boolean forStock) {
        ServerConnection c = ledger.wantedFor(pool);
        if (c == null) {
            c = ledger.create(pool);
        }
        if (hold == SlotHold.OVERFLOW) {
            slots.overflow++;
        } else {
            slots.free--;
        }
        c.hold = hold;
        c.forStock = forStock;
        ledger.count(c);
        ledger.move(c, ConnectionState.RATE_LIMITED);
    }

    /** Whether a connection that got a slot now would be opened now: nothing that works is given up for less. */
    boolean mayStartNow() {
        return bucket.health.isUp()
                && bucket.health.mayConnect()
                && rate.available(bucket.now()) > ledger.rateLimited.size() + ledger.heirs;
    }

    /** Closes a connection so that this pool gets a new one with its slot. */
    void closeFor(ServerConnection victim, Pool pool, CloseReason why) {
        ledger.makeHeir(ledger.create(pool), victim);
        close(victim, why);
    }

    void close(ServerConnection c, CloseReason why) {
        c.closeReason = why;
        ledger.move(c, ConnectionState.CLOSING);
        bucket.ring.close(c, why);
    }

    void closeIdle(CloseReason why) {
        ServerConnection c = ledger.idle.first();
        while (c != null) {
            close(c, why);
            c = ledger.idle.first();
        }
    }

    /** Forgets a connection the carrier has not been told of. */
    void drop(ServerConnection c) {
        ServerConnection from = c.slotFrom;
        if (from != null) {
            from.heir = null;
            if (c.counted && !from.counted && from.pool.login == c.pool.login) {
                c.counted = false;
                from.counted = true;
            }
        }
        ledger.uncount(c);
        ledger.move(c, ConnectionState.CLOSED);
        slots.release(c);
        bucket.pools.forgetIfOver(c.pool);
    }

    /** It was closed as ordered, or the server or the network ended it. */
    void ended(ServerConnection c) {
        if (c.state != ConnectionState.CLOSING) {
            c.closeReason = CloseReason.LOST;
        }
        if (c.state.isInUse()) {
            bucket.usage.detach(c);
        }
        gone(c);
    }

    /** The connection no longer exists. Its slot passes on. */
    void gone(ServerConnection c) {
        ServerConnection heir = c.heir;
        c.heir = null;
        ledger.uncount(c);
        ledger.move(c, ConnectionState.CLOSED);
        bucket.tallies.closed.add(c.closeReason, 1);
        if (c.wasOpened()) {
            long life = bucket.now() - c.createdAt;
            c.pool.counters.closed++;
            c.pool.counters.lifeNanos += life;
            bucket.tallies.life.record(life);
        }
        if (heir != null) {
            heir.hold = c.hold;
            c.hold = SlotHold.NONE;
            ledger.move(heir, ConnectionState.RATE_LIMITED);
        } else {
            slots.release(c);
        }
        bucket.pools.forgetIfOver(c.pool);
    }

    /** A connection with a slot that waits for the connect rate, and for nobody. */
    @Nullable
    ServerConnection spare(@Nullable Login of) {
        ServerConnection c = ledger.rateLimited.first();
        while (c != null && (c.pool.surplus == 0 || (of != null && c.pool.login != of))) {
            c = c.stageAfter;
        }
        return c;
    }

    /** Opens what may be opened now. */
    void pump() {
        ServerConnection c = ledger.rateLimited.first();
        while (c != null && bucket.health.mayConnect() && rate.available(bucket.now()) > 0 && allowance.isThere()) {
            if (!bucket.health.isUp() && ledger.opening.size() > 0) {
                return; // half open: one at a time
            }
            rate.take(bucket.now());
            allowance.take();
            c.stageSince = bucket.now();
            c.newsAtStart = bucket.health.news();
            c.generation = bucket.generation; // a reconnect before this moment has nothing to replace
            ledger.move(c, ConnectionState.CONNECTING);
            bucket.ring.open(c);
            c = ledger.rateLimited.first();
        }
        int lacking = allowance.ask(ledger.rateLimited.size());
        if (lacking > 0) {
            bucket.ring.askConnects(lacking);
        }
    }

    void opened(ServerConnection c, @Nullable Object state) {
        if (c.state == ConnectionState.CONNECTING) {
            ledger.move(c, ConnectionState.LOGGING_IN);
        }
        long now = bucket.now();
        bucket.tallies.connect.record(now - c.stageSince);
        bucket.health.latencyNanos = now - c.stageSince;
        c.pool.counters.opened++;
        if (c.forStock) {
            bucket.tallies.refills++;
        }
        c.sessionState = state;
        c.loginState = state;
        c.createdAt = now;
        c.idleSince = now;
        c.heardAt = now;
        c.pool.loginFailures = 0;
        c.pool.proven = true;
        bucket.reservoir.born(c);
        bucket.health.opened();
        bucket.dispatcher.place(c);
    }

    void failed(ServerConnection c, OpenFailure failure, String why) {
        bucket.tallies.openFailures.add(failure, 1);
        if (c.forStock) {
            bucket.tallies.refillFailures++;
        }
        switch (failure) {
            case UNREACHABLE -> {
                c.closeReason = CloseReason.CONNECT_FAILED;
                gone(c);
                bucket.health.failed(c, why);
            }
            case LOGIN_REJECTED -> {
                c.closeReason = CloseReason.LOGIN_REJECTED;
                gone(c);
                bucket.health.opened(); // the server is there, and said no
                pause(c.pool, Refusal.LOGIN_REJECTED);
            }
            case LOGIN_FAILED -> {
                c.closeReason = CloseReason.CONNECT_FAILED;
                gone(c);
                loginFailed(c, why);
            }
        }
    }

    /**
     * A login that the server has let in before, and does not answer now, speaks of the server. Any other may be what the
     * server can't stand: it counts neither against the server nor in its favour.
     */
    private void loginFailed(ServerConnection c, String why) {
        if (c.pool.proven) {
            bucket.health.failed(c, why);
        } else {
            bucket.health.probeSaysNothing();
            pause(c.pool, Refusal.LOGIN_FAILED);
        }
    }

    /** Trying again at once would change nothing and may lock the account. */
    private void pause(Pool pool, Refusal trouble) {
        pool.loginFailures++;
        pool.loginTrouble = trouble;
        int doublings = Math.min(pool.loginFailures - 1, 16);
        long pause = Math.min(bucket.tuning.maxBackoffNanos, bucket.tuning.backoffNanos << doublings);
        pool.loginRetryAt = bucket.now() + pause;
        bucket.pools.reject(pool);
        dropAllOf(pool);
        ledger.refresh(pool);
        if (pool.live == 0 && pool.coming == 0) {
            bucket.dispatcher.refuseAll(pool, trouble);
        }
    }

    /** Forgets what of this pool has not been opened yet. */
    void dropAllOf(Pool pool) {
        dropAll(ledger.leasing, pool);
        dropAll(ledger.rateLimited, pool);
    }

    void dropAll() {
        dropAll(ledger.leasing, null);
        dropAll(ledger.rateLimited, null);
    }

    private void dropAll(ConnectionList list, @Nullable Pool pool) {
        ServerConnection c = list.first();
        while (c != null) {
            ServerConnection next = c.stageAfter;
            if (pool == null || c.pool == pool) {
                drop(c);
            }
            c = next;
        }
    }

    void expireOpenings() {
        ServerConnection c = ledger.opening.first();
        while (c != null && c.stageSince + bucket.tuning.connectTimeoutNanos <= bucket.now()) {
            boolean greeted = c.state == ConnectionState.LOGGING_IN;
            bucket.tallies.openFailures.add(greeted ? OpenFailure.LOGIN_FAILED : OpenFailure.UNREACHABLE, 1);
            if (c.forStock) {
                bucket.tallies.refillFailures++;
            }
            close(c, CloseReason.CONNECT_TIMEOUT);
            if (greeted) {
                loginFailed(c, "no answer to the login within connection_timeout");
            } else {
                bucket.health.failed(c, "no connection within connection_timeout");
            }
            c = ledger.opening.first();
        }
    }
}
