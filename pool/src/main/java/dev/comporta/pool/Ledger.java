package dev.comporta.pool;

import dev.comporta.pool.ServerConnection.LoginShare;
import dev.comporta.pool.connection.Lifetime;
import dev.comporta.pool.heap.MinHeap;
import dev.comporta.pool.list.Chain;
import dev.comporta.pool.list.CoveredChain;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.EnumCounts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The books of a bucket: the state and list of each connection, and which waiters are covered. Every change of a
 * connection's state goes through {@link #move}, so that the sums always agree.
 */
final class Ledger {
    private final Conditions conditions;
    private final List<ServerConnection> all = new ArrayList<>();
    private final EnumCounts<ConnectionState> byState = new EnumCounts<>(ConnectionState.values());

    final Chain<ServerConnection> leasing = new Chain<>();
    final Chain<ServerConnection> rateLimited = new Chain<>();
    /** Connecting and logging in, by the time of the order to open them. */
    final Chain<ServerConnection> opening = new Chain<>();
    /** Resetting and validating. */
    final Chain<ServerConnection> checking = new Chain<>();
    /** Ready, the longest idle first: the least useful. */
    final Chain<ServerConnection> idle = new Chain<>();
    /** The unclean ones among the idle, by the time they were handed back: each is reset when it has rested. */
    final Chain<ServerConnection> resting = new Chain<>();

    /** Open connections by their next deadline: when a replacement is due, then when clients no longer get them. */
    final MinHeap<ServerConnection> lifetimes = new MinHeap<>();

    /** The queue: all waiters, in the order in which they entered it. */
    final Chain<Waiter> arrivals = new Chain<>();
    /** How many waiters in the queue are login checks. */
    int logins;
    /** How many of these login checks can't have a connection opened now, because their login is at its limit or was rejected. */
    int loginsHeldUp;
    /** Pools with hungry waiters, by their oldest hungry waiter. */
    final MinHeap<Pool> hungry = new MinHeap<>();

    /** Connections that wait for the slot of one that is being closed. */
    int heirs;
    /** Ready connections that are about to be replaced. */
    int agingReady;
    /** The sums of the pools' fields of the same names. */
    int surplus;

    int hungryWaiters;
    int blockedWaiters;
    /** Logins with blocked waiters, in no particular order. */
    final List<Login> blockedLogins = new ArrayList<>();
    /** A connection that was to serve a waiter has ended, and the waiter's pool has ready connections that need a check first. */
    private boolean sparesNeeded;

    private long lastId;

    Ledger(Conditions conditions) {
        this.conditions = conditions;
    }

    boolean takeSparesNeeded() {
        boolean needed = sparesNeeded;
        sparesNeeded = false;
        return needed;
    }

    EnumCounts<ConnectionState> byState() {
        return byState;
    }

    /** Whether no client has a connection, and none is being reset: a reset may roll back a transaction. */
    boolean isQuiet() {
        long busy = byState.get(ConnectionState.ATTACHED)
                + byState.get(ConnectionState.PINNED)
                + byState.get(ConnectionState.RESETTING);
        return busy == 0;
    }

    /** How many connections have been idle since that time. */
    int idleSince(long time) {
        int count = 0;
        for (ServerConnection c = idle.first(); c != null && c.idleSince <= time; c = c.inStage.after()) {
            count++;
        }
        return count;
    }

    int connections() {
        return all.size();
    }

    ServerConnection connection(int index) {
        return all.get(index);
    }

    /** Adds a connection that is wanted: its state is leasing, without a slot. */
    ServerConnection create(Pool pool) {
        ServerConnection c =
                new ServerConnection(pool, ++lastId, new Lifetime(conditions.generation(), conditions.now()));
        c.index = all.size();
        all.add(c);
        byState.add(c.state, 1);
        pool.connections++;
        leasing.add(c.inStage);
        return c;
    }

    void move(ServerConnection c, ConnectionState next) {
        ConnectionState from = c.state;
        if (!from.mayBecome(next)) {
            throw new IllegalStateException(c + " can't become " + next);
        }
        Pool pool = c.pool;
        boolean wasComing = c.isComing();
        byState.add(from, -1);
        byState.add(next, 1);
        leave(c, from, next);
        c.state = next;
        enter(c, from, next);
        boolean isComing = c.isComing();
        if (wasComing != isComing) {
            pool.coming += isComing ? 1 : -1;
            refresh(pool);
            if (!next.isLive() && pool.waitlist.size() > 0 && pool.idle.size() > 0) {
                sparesNeeded = true;
            }
        }
    }

    private void leave(ServerConnection c, ConnectionState from, ConnectionState next) {
        switch (from) {
            case LEASING -> {
                leasing.remove(c.inStage);
                if (c.slotFrom != null) {
                    c.slotFrom = null;
                    heirs--;
                }
            }
            case RATE_LIMITED -> rateLimited.remove(c.inStage);
            case CONNECTING, LOGGING_IN -> {
                if (next != ConnectionState.LOGGING_IN) {
                    opening.remove(c.inStage);
                }
            }
            case READY -> {
                idle.remove(c.inStage);
                c.pool.idle.remove(c);
                if (c.session.unclean) {
                    resting.remove(c.inRest);
                }
                if (c.life.isAging()) {
                    agingReady--;
                }
            }
            case ATTACHED, PINNED -> {
                if (!next.isInUse()) {
                    c.pool.inUse--;
                }
            }
            case RESETTING, VALIDATING -> checking.remove(c.inStage);
            case CLOSING, CLOSED -> {}
        }
        if (from.isLive() && !next.isLive()) {
            c.pool.live--;
        }
    }

    private void enter(ServerConnection c, ConnectionState from, ConnectionState next) {
        switch (next) {
            case LEASING -> throw new IllegalStateException(c + " can't wait for a slot again");
            case RATE_LIMITED -> rateLimited.add(c.inStage);
            case CONNECTING -> opening.add(c.inStage);
            case READY -> {
                idle.add(c.inStage, c.idleSince); // last, unless it comes from a check while it was idle
                c.pool.idle.add(c);
                if (c.session.unclean) {
                    resting.add(c.inRest, c.idleSince);
                }
                if (c.life.isAging()) {
                    agingReady++;
                }
            }
            case ATTACHED, PINNED -> {
                if (!from.isInUse()) {
                    c.pool.inUse++;
                }
            }
            case RESETTING, VALIDATING -> checking.add(c.inStage);
            case LOGGING_IN, CLOSING -> {}
            case CLOSED -> strike(c);
        }
        if (next.isLive() && !from.isLive()) {
            c.pool.live++;
        }
    }

    private void strike(ServerConnection c) {
        ServerConnection last = all.removeLast();
        if (last != c) {
            all.set(c.index, last);
            last.index = c.index;
        }
        byState.add(ConnectionState.CLOSED, -1);
        c.pool.connections--;
        c.partFromLastWaiter();
        lifetimes.remove(c);
    }

    /** Lets one connection wait for the slot of another, which is closed for it. */
    void makeHeir(ServerConnection heir, ServerConnection of) {
        of.heir = heir;
        heir.slotFrom = of;
        heirs++;
        heir.pool.coming++;
        if (!passCount(of, heir)) {
            count(heir);
        }
        refresh(heir.pool);
    }

    /** If both belong to one login, that login's limit counts the second instead of the first. */
    boolean passCount(ServerConnection from, ServerConnection to) {
        boolean passes = from.loginShare != LoginShare.NOT_COUNTED
                && to.loginShare == LoginShare.NOT_COUNTED
                && from.pool.login == to.pool.login;
        if (passes) {
            to.loginShare = from.loginShare;
            from.loginShare = LoginShare.NOT_COUNTED;
        }
        return passes;
    }

    /** Counts it against the limit of its login from now on. */
    void count(ServerConnection c) {
        if (c.loginShare == LoginShare.NOT_COUNTED) {
            c.loginShare = LoginShare.COUNTED;
            Login login = c.pool.login;
            login.connections++;
            if (login.rule.limit() > 0) {
                refresh(login);
            }
        }
    }

    void uncount(ServerConnection c) {
        if (c.loginShare != LoginShare.NOT_COUNTED) {
            Login login = c.pool.login;
            login.connections--;
            if (c.loginShare == LoginShare.LEAVING) {
                login.leaving--;
            }
            c.loginShare = LoginShare.NOT_COUNTED;
            if (login.rule.limit() > 0) {
                refresh(login);
            }
        }
    }

    /**
     * Marks a connection that is closed because its login is over its limit. It counts against the limit until it is
     * closed, but no further connection has to close for it.
     */
    void leaveLogin(ServerConnection c) {
        if (c.loginShare == LoginShare.COUNTED) {
            c.loginShare = LoginShare.LEAVING;
            c.pool.login.leaving++;
        }
    }

    void refresh(Login login) {
        for (int i = 0; i < login.pools.size(); i++) {
            refresh(login.pools.get(i));
        }
    }

    /** Updates a pool's sums after a change to its waiters, to its connections on their way, or to whether it may open one. */
    void refresh(Pool p) {
        CoveredChain<Waiter> list = p.waitlist;
        list.cover(p.coming);
        int surplusNow = Math.max(0, p.coming - list.size());
        surplus += surplusNow - p.surplus;
        p.surplus = surplusNow;

        Waiter first = list.firstUncovered();
        boolean mayOpen = p.mayOpen(conditions.now());
        int hungryNow = first != null && mayOpen ? list.uncovered() : 0;
        hungryWaiters += hungryNow - p.hungryWaiters;
        p.hungryWaiters = hungryNow;
        int blockedNow = first != null && !mayOpen ? list.uncovered() : 0;
        blocked(p.login, blockedNow - p.blockedWaiters);
        p.blockedWaiters = blockedNow;
        int heldUp = Math.min(p.queuedLogins, blockedNow);
        loginsHeldUp += heldUp - p.loginsHeldUp;
        p.loginsHeldUp = heldUp;
        if (first != null && mayOpen) {
            hungry.put(p, first.order);
        } else {
            hungry.remove(p);
        }
    }

    private void blocked(Login login, int more) {
        boolean was = login.blockedWaiters > 0;
        login.blockedWaiters += more;
        blockedWaiters += more;
        boolean is = login.blockedWaiters > 0;
        if (is && !was) {
            login.blockedIndex = blockedLogins.size();
            blockedLogins.add(login);
        } else if (was && !is) {
            Login last = blockedLogins.removeLast();
            if (last != login) {
                blockedLogins.set(login.blockedIndex, last);
                last.blockedIndex = login.blockedIndex;
            }
        }
    }

    void enqueue(Waiter w, Pool pool) {
        w.status = Waiter.Status.WAITING;
        arrivals.add(w.arrival);
        countLogin(w, pool, 1);
        pool.waitlist.add(w.inPool, w.order);
        refresh(pool);
    }

    private void countLogin(Waiter w, Pool pool, int more) {
        if (w.login) {
            logins += more;
            pool.queuedLogins += more;
            pool.login.queuedLogins += more;
        }
    }

    void dequeue(Waiter w, Pool pool) {
        w.status = Waiter.Status.IDLE;
        arrivals.remove(w.arrival);
        countLogin(w, pool, -1);
        pool.waitlist.remove(w.inPool);
        if (w.order == pool.login.lastOrder) {
            pool.login.takeBackTurns();
        }
        refresh(pool);
    }

    /** A connection of this pool that is wanted, and neither has a slot nor waits for another connection's slot. */
    @Nullable
    ServerConnection wantedFor(Pool pool) {
        ServerConnection c = leasing.first();
        while (c != null && (c.pool != pool || c.slotFrom != null)) {
            c = c.inStage.after();
        }
        return c;
    }

    /** For a login at its limit: which of its pools has the waiter that comes first. */
    @Nullable
    Pool oldestBlocked(Login login) {
        Pool oldest = null;
        long order = Long.MAX_VALUE;
        for (int i = 0; i < login.pools.size(); i++) {
            Pool p = login.pools.get(i);
            Waiter w = p.waitlist.firstUncovered();
            boolean byLimitAlone = p.standing == Pool.Standing.ACTIVE && conditions.now() >= p.loginRetryAt;
            if (w != null && byLimitAlone && w.order < order) {
                order = w.order;
                oldest = p;
            }
        }
        return oldest;
    }
}
