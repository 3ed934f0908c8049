package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Writes down its orders, one line each, and carries out none: the test says what happens, and when. */
final class Carrier implements Orders, LeasePort {
    final Bucket bucket;
    final ConnectionEvents events;
    final Pool pool;
    /** Grants what is asked for from inside the call; otherwise the test answers. */
    boolean grants = true;

    /** How often the lease store was told of another limit. */
    int limitChanges;

    private final Map<Long, ServerConnection> connections = new HashMap<>();
    private final Map<String, Waiter> waiters = new HashMap<>();
    private final List<String> orders = new ArrayList<>();
    long now;

    Carrier(BucketSettings.Builder settings) {
        bucket =
                new Bucket("b", settings.build(), this, this, new SplittableRandom(1), SessionDistance.EQUAL_OR_NOT, 0);
        events = bucket.connectionEvents();
        pool = bucket.pool("p", "ana");
    }

    static BucketSettings.Builder limit(int max) {
        return BucketSettings.DEFAULTS.but().maxConnections(max).minIdle(0);
    }

    @Override
    public void limitChanged(int maxConnections) {
        limitChanges++;
    }

    /** What was ordered since the last time this was asked. */
    List<String> orders() {
        List<String> since = List.copyOf(orders);
        orders.clear();
        return since;
    }

    Waiter waiter(String client) {
        return waiters.computeIfAbsent(client, Waiter::new);
    }

    ServerConnection connection(long id) {
        return connections.get(id);
    }

    /** Those that were ordered to be opened. */
    List<ServerConnection> all() {
        return List.copyOf(connections.values());
    }

    void ask(String client) {
        ask(client, pool);
    }

    void ask(String client, Pool of) {
        ask(client, of, null);
    }

    void ask(String client, Pool of, Object state) {
        bucket.request(waiter(client), of, state, now);
    }

    void askToBeLetIn(String client, Pool of) {
        bucket.requestLogin(waiter(client), of, null, now);
    }

    void rejected(long id) {
        events.openFailed(connection(id), OpenFailure.LOGIN_REJECTED, "18456", now);
    }

    void opened(long id) {
        events.opened(connection(id), null, now);
    }

    void unreachable(long id) {
        events.openFailed(connection(id), OpenFailure.UNREACHABLE, "refused", now);
    }

    void full(long id) {
        events.openFailed(connection(id), OpenFailure.FULL, "17809", now);
    }

    void release(long id) {
        release(id, null);
    }

    void release(long id, Object state) {
        bucket.release(connection(id), state, now);
    }

    void releaseUnclean(long id) {
        bucket.release(connection(id), null, false, now);
    }

    void resetDone(long id) {
        events.resetDone(connection(id), true, now);
    }

    void closed(long id) {
        events.closed(connection(id), now);
    }

    /** Opens connections for these clients of the pool, and forgets how. */
    void attached(String... clients) {
        for (String client : clients) {
            ask(client);
            openAll();
        }
        orders();
    }

    void openAll() {
        for (ServerConnection c : List.copyOf(connections.values())) {
            if (c.state() == ConnectionState.CONNECTING) {
                events.opened(c, null, now);
            }
        }
    }

    void pass(Duration time) {
        now += time.toNanos();
    }

    void tick() {
        bucket.tick(now);
    }

    void passAndTick(Duration time) {
        pass(time);
        tick();
    }

    /** Ticks whenever it is due, for so long. */
    void runFor(Duration time) {
        long end = now + time.toNanos();
        while (bucket.nextDeadline() <= end) {
            now = Math.max(now, bucket.nextDeadline());
            tick();
        }
        now = end;
    }

    @Override
    public void attach(Waiter waiter, ServerConnection c) {
        orders.add("attach " + waiter.client() + " " + c.id());
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        orders.add("refuse " + waiter.client() + " " + why);
    }

    @Override
    public void open(ServerConnection c) {
        connections.put(c.id(), c);
        orders.add("open " + c.id() + " " + c.pool().key());
    }

    @Override
    public void close(ServerConnection c, CloseReason why) {
        orders.add("close " + c.id() + " " + why);
    }

    @Override
    public void reset(ServerConnection c) {
        orders.add("reset " + c.id());
    }

    @Override
    public void validate(ServerConnection c, HealthSettings.Check how) {
        orders.add("validate " + c.id() + " " + how);
    }

    @Override
    public void warmedUp(Pool of, int ready, int wanted) {
        orders.add("warmed up " + of.key() + " " + ready + " of " + wanted);
    }

    @Override
    public void healthChanged(Bucket b, HealthState health) {
        orders.add("health " + health);
    }

    @Override
    public void roomChanged(Bucket b, boolean full) {
        orders.add(full ? "full" : "room");
    }

    @Override
    public void quiesced(Bucket b) {
        orders.add("quiesced");
    }

    @Override
    public void drained(Bucket b) {
        orders.add("drained");
    }

    @Override
    public int ask(int slots, Patience patience) {
        if (grants) {
            return slots;
        }
        orders.add("ask " + slots + " " + patience);
        return 0;
    }

    @Override
    public void withdraw(int slots) {
        orders.add("withdraw " + slots);
    }

    @Override
    public void giveBack(int slots) {
        if (!grants) {
            orders.add("give back " + slots);
        }
    }

    @Override
    public void revokedAreClosed(int slots) {
        orders.add("closed " + slots + " revoked");
    }
}
