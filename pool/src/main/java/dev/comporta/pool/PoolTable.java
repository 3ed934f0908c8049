package dev.comporta.pool;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.stats.Counters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pools and logins of a bucket. They are made with their first request, and forgotten after a long time without one. */
final class PoolTable {
    private final Bucket bucket;
    private final Conditions conditions;
    private final Ledger ledger;
    /** In the order in which they were made, so that every pass over them has the same order. */
    private final Map<Object, Pool> byKey = new LinkedHashMap<>();

    private final Map<String, Login> logins = new LinkedHashMap<>();
    /** Pools with a warm-up under way. */
    final List<Pool> warming = new ArrayList<>();
    /** Pools whose login the server has rejected and that are still paused. */
    private final List<Pool> rejected = new ArrayList<>();
    /** When the first of them may be tried again: so no event has to look at all of them. */
    long believeAt = Long.MAX_VALUE;
    /** The sums of the counters of pools that were forgotten. */
    final Counters departed = new Counters();

    boolean limitsChanged;
    /** Counts the changes of the pools' demand. */
    long demandChanges;

    PoolTable(Bucket bucket, Conditions conditions, Ledger ledger) {
        this.bucket = bucket;
        this.conditions = conditions;
        this.ledger = ledger;
    }

    Collection<Pool> all() {
        return byKey.values();
    }

    Collection<Login> logins() {
        return logins.values();
    }

    Pool get(Object key, String login) {
        Pool pool = byKey.get(key);
        if (pool == null) {
            pool = new Pool(bucket, key, loginOf(login));
            pool.login.pools.add(pool);
            byKey.put(key, pool);
        }
        return pool;
    }

    boolean knows(Object key) {
        return byKey.containsKey(key);
    }

    private Login loginOf(String name) {
        return logins.computeIfAbsent(
                name, n -> new Login(n, conditions.tuning().settings.logins().ruleOf(n)));
    }

    /** The pool itself, or its successor if it was forgotten. */
    Pool awake(Pool pool) {
        if (pool.standing != Pool.Standing.DORMANT) {
            return pool;
        }
        Pool renewed = get(pool.key, pool.login.name);
        renewed.proven |= pool.proven;
        return renewed;
    }

    void reconfigure() {
        for (Login login : logins.values()) {
            login.rule = conditions.tuning().settings.logins().ruleOf(login.name);
            ledger.refresh(login);
        }
        limitsChanged = true;
    }

    void warmUp(Pool pool, int connections, long deadline) {
        pool.warmUpWanted = connections;
        pool.warmUpDeadline = deadline;
        pool.declared = true;
        demandChanges++;
        if (!warming.contains(pool)) {
            warming.add(pool);
        }
    }

    /** A client asks for a connection of this pool. */
    void demanded(Pool pool) {
        if (pool.demand++ == 0) {
            demandChanges++;
        }
    }

    void endWarmUp(int index) {
        Pool pool = warming.remove(index);
        pool.warmUpDeadline = Long.MAX_VALUE;
    }

    boolean takeLimitsChanged() {
        boolean changed = limitsChanged;
        limitsChanged = false;
        return changed;
    }

    long nextDeadline() {
        long next = conditions.isRemoved() ? Long.MAX_VALUE : believeAt;
        for (int i = 0; i < warming.size(); i++) {
            next = Math.min(next, warming.get(i).warmUpDeadline);
        }
        return next;
    }

    void reject(Pool pool) {
        if (!rejected.contains(pool)) {
            rejected.add(pool);
        }
        believeAt = Math.min(believeAt, pool.loginRetryAt);
    }

    /** A rejected login may be tried again after a pause. */
    void believeLoginsAgain() {
        if (conditions.now() < believeAt) {
            return;
        }
        believeAt = Long.MAX_VALUE;
        for (int i = rejected.size() - 1; i >= 0; i--) {
            Pool pool = rejected.get(i);
            if (conditions.now() >= pool.loginRetryAt) {
                rejected.remove(i);
                ledger.refresh(pool);
            } else {
                believeAt = Math.min(believeAt, pool.loginRetryAt);
            }
        }
    }

    /** The pool takes no more requests, and is forgotten when its last connection is closed. */
    void retired(Pool pool) {
        byKey.remove(pool.key, pool);
        ledger.refresh(pool);
        forgetIfOver(pool);
    }

    void forgetIfOver(Pool pool) {
        if (pool.standing == Pool.Standing.RETIRED && pool.isEmpty()) {
            forget(pool);
        }
    }

    /** Lets old requests count for less, and forgets pools without demand. */
    void forgetUnused() {
        for (Iterator<Pool> i = byKey.values().iterator(); i.hasNext(); ) {
            Pool pool = i.next();
            pool.demand >>= 1;
            demandChanges++;
            if (pool.weight() == 0 && pool.isEmpty() && conditions.now() >= pool.loginRetryAt) {
                i.remove();
                pool.standing = Pool.Standing.DORMANT;
                forget(pool);
            }
        }
    }

    private void forget(Pool pool) {
        if (pool.login.pools.remove(pool)) {
            departed.add(pool.counters);
            rejected.remove(pool);
            if (pool.login.pools.isEmpty()) {
                logins.remove(pool.login.name, pool.login);
            }
        }
    }
}
