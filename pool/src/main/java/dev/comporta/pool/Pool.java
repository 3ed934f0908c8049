package dev.comporta.pool;

import dev.comporta.pool.heap.HeapNode;
import dev.comporta.pool.list.CoveredChain;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.Counters;

/**
 * The server connections of one bucket for one login and one login profile. Any of them will do for any of its clients.
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
    /** Such waiters that came from there to the queue; and of those, while no connection may be opened for them. */
    int queuedLogins;

    int loginsHeldUp;
    /** Connections in whatever state, those only wanted included. */
    int connections;
    /** Logged in: ready, in use, or being checked. */
    int live;

    int inUse;
    /** On their way to be ready. */
    int coming;
    /** Of those, more than there are waiters. */
    int surplus;
    /** Waiters without a connection on its way, that one may be opened for. */
    int hungryWaiters;
    /** Waiters without a connection on its way, that none may be opened for: the login's limit, or its rejection. */
    int blockedWaiters;

    /** Requests, the older the less they count: what the reservoir stocks by. */
    long demand;
    /** Known from the configuration: stocked though nobody asked yet. */
    boolean declared;
    /** Whether the reservoir may open connections for it ahead of need. */
    private boolean stocked = true;
    /** Whether the server has ever let this login in, with this profile. */
    boolean proven;
    /** Until then this login is not tried again, after the server rejected it or did not answer it. */
    long loginRetryAt;
    /** Which of the two. */
    Refusal loginTrouble = Refusal.LOGIN_REJECTED;

    int loginFailures;
    int warmUpWanted;
    long warmUpDeadline = Long.MAX_VALUE;
    Standing standing = Standing.ACTIVE;

    /** Whether the bucket knows it. */
    enum Standing {
        ACTIVE,
        /** Empty and unused for long, so forgotten: it comes back with its next request. */
        DORMANT,
        /** On its way out: its connections close as they come free. */
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

    /** What the carrier called it. */
    public Object key() {
        return key;
    }

    public String login() {
        return login.name;
    }

    /** Requests that wait here. */
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

    /** It is for one client alone, or for one use: a connection that nobody waits for would serve nobody. */
    public void keepNoStock() {
        stocked = false;
    }

    /** Connections that are being reset or validated: each of them serves a waiter if it turns out well. */
    int checking() {
        return live - inUse - idle.size();
    }

    boolean mayOpen(long now) {
        return standing == Standing.ACTIVE && now >= loginRetryAt && !login.isAtLimit();
    }

    /** What the reservoir stocks it by. */
    long weight() {
        if (!stocked) {
            return 0;
        }
        return declared ? Math.max(1, demand) : demand;
    }

    boolean isEmpty() {
        return connections == 0 && waitlist.size() == 0 && inLane == 0;
    }

    @Override
    public String toString() {
        return "pool " + key + " in " + bucket.id();
    }
}
