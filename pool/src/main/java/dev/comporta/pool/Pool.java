package dev.comporta.pool;

import dev.comporta.pool.heap.HeapNode;
import dev.comporta.pool.list.CoveredChain;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.Counters;
import org.jspecify.annotations.Nullable;

/**
 * The server connections of one bucket for one login and one login profile. Any of them can serve any of its clients.
 * Confined to its bucket's thread.
 */
public final class Pool extends HeapNode {
    final Bucket bucket;
    final Object key;
    final Login login;
    /** Its waiters, first come first served; as many are covered as connections are on their way. */
    final CoveredChain<Waiter> waitlist = new CoveredChain<>();

    final IdleStack idle = new IdleStack();
    final Counters counters = new Counters();

    /** Waiters in the lane for logins. */
    int inLane;
    /** Login checks in the queue; and of those, the ones that no connection may be opened for. */
    int queuedLogins;

    int loginsHeldUp;
    /** Connections in any state, including those that are only wanted. */
    int connections;
    /** Logged in: ready, in use, or being checked. */
    int live;

    int inUse;
    /** Connections on their way to be ready. */
    int coming;
    /** How many more connections are on their way than there are waiters. */
    int surplus;
    /** Hungry waiters: not covered, and a connection may be opened for them. */
    int hungryWaiters;
    /** Blocked waiters: not covered, and none may be opened for them because of the login's limit or its rejection. */
    int blockedWaiters;

    /** The number of requests, older ones counting less: the reservoir shares its stock by it. */
    long demand;
    /** Known from the configuration: stocked before its first client. */
    boolean declared;
    /** Whether the reservoir may open connections for it ahead of need. */
    private boolean stocked = true;
    /** Whether the server has ever accepted this login with this profile. */
    boolean proven;
    /** This login is not tried before that time, after the server rejected it or did not answer it. */
    long loginRetryAt;
    /** The refusal for its requests until then; null if they wait until the server accepts the login again. */
    @Nullable
    Refusal loginTrouble = Refusal.LOGIN_REJECTED;

    int loginFailures;
    int warmUpWanted;
    long warmUpDeadline = Long.MAX_VALUE;
    Standing standing = Standing.ACTIVE;

    /** Whether the bucket knows it. */
    enum Standing {
        ACTIVE,
        /** Forgotten, because it was empty and unused for a long time; its next request brings it back. */
        DORMANT,
        /** Removed: its connections close when they are released. */
        RETIRED
    }

    Pool(Bucket bucket, Object key, Login login) {
        this.bucket = bucket;
        this.key = key;
        this.login = login;
    }

    public Bucket bucket() {
        return bucket;
    }

    /** The carrier's key for it. */
    public Object key() {
        return key;
    }

    public String login() {
        return login.name;
    }

    /** Requests that wait for its connections. */
    public int waiting() {
        return waitlist.size();
    }

    /** Ready connections. */
    public int ready() {
        return idle.size();
    }

    /** Connections a client has. */
    public int inUse() {
        return inUse;
    }

    /** Keeps no stock. For a pool with one client, or for one use: a stocked connection would serve no other client. */
    public void keepNoStock() {
        stocked = false;
    }

    /** Connections that are being reset or validated: each serves a waiter if it passes. */
    int checking() {
        return live - inUse - idle.size();
    }

    boolean mayOpen(long now) {
        return standing == Standing.ACTIVE && now >= loginRetryAt && !login.isAtLimit();
    }

    /** Its weight in the reservoir. */
    long weight() {
        if (!stocked) {
            return 0;
        }
        return declared ? Math.max(1, demand) : demand;
    }

    boolean isAwaited() {
        return waitlist.size() + inLane > 0;
    }

    boolean isEmpty() {
        return connections == 0 && !isAwaited();
    }

    @Override
    public String toString() {
        return "pool " + key + " in " + bucket.id();
    }
}
