package dev.comporta.pool;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.Counters;
import dev.comporta.pool.stats.Tallies;
import dev.comporta.pool.stats.WaiterSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Copies a bucket's books into immutable records. */
final class Snapshots {
    private Snapshots() {}

    static BucketSnapshot of(Bucket b) {
        Tallies t = b.tallies;
        Counters traffic = new Counters();
        traffic.add(b.pools.departed);
        List<BucketSnapshot.PoolSnapshot> pools = new ArrayList<>();
        for (Login login : b.pools.logins()) {
            for (Pool p : login.pools) {
                traffic.add(p.counters);
                pools.add(of(p));
            }
        }
        return new BucketSnapshot(
                b.id(),
                t.createdAt,
                t.lastActivityAt,
                b.now(),
                b.isPaused(),
                b.health.snapshot(),
                b.room.snapshot(t.openFailures.get(OpenFailure.FULL), b.ledger.arrivals.size() + b.lane.size() > 0),
                b.conditions.tuning().limit,
                b.ledger.byState().snapshot(),
                b.ledger.arrivals.size() + b.lane.size(),
                b.slots.overflow(),
                b.slots.snapshot(),
                traffic.snapshot(),
                t.refused.snapshot(),
                t.closed.snapshot(),
                t.openFailures.snapshot(),
                t.pinned.snapshot(),
                t.pinnedNanos.snapshot(),
                t.refills,
                t.refillFailures,
                t.wait.snapshot(),
                t.waitInVain.snapshot(),
                t.attach.snapshot(),
                t.connect.snapshot(),
                t.query.snapshot(),
                t.firstByte.snapshot(),
                Collections.unmodifiableList(pools),
                connections(b.ledger));
    }

    private static BucketSnapshot.PoolSnapshot of(Pool p) {
        return new BucketSnapshot.PoolSnapshot(
                p.key,
                p.login.name,
                p.live,
                p.inUse,
                p.idle.size(),
                p.coming,
                p.waitlist.size(),
                p.counters.snapshot());
    }

    private static List<BucketSnapshot.ConnectionSnapshot> connections(Ledger ledger) {
        List<BucketSnapshot.ConnectionSnapshot> all = new ArrayList<>(ledger.connections());
        for (int i = 0; i < ledger.connections(); i++) {
            all.add(of(ledger.connection(i)));
        }
        return Collections.unmodifiableList(all);
    }

    static BucketSnapshot.ConnectionSnapshot of(ServerConnection c) {
        return new BucketSnapshot.ConnectionSnapshot(
                c.id(),
                c.pool.login.name,
                c.state,
                c.pinReason,
                c.pinnedSince(),
                c.life.createdAt,
                c.life.handoutUntil,
                Math.max(c.attachedAt, c.idleSince),
                c.heardAt,
                c.counts.uses,
                c.counts.queries,
                c.counts.bytesSent,
                c.counts.bytesReceived,
                leaves(c));
    }

    private static boolean leaves(ServerConnection c) {
        Conditions conditions = c.pool.bucket.conditions;
        return conditions.isRemoved()
                || c.pool.standing == Pool.Standing.RETIRED
                || c.life.generation != conditions.generation()
                || conditions.now() >= c.life.handoutUntil;
    }

    /** The waiting requests, the oldest first: in the queue and in the lane for logins. */
    static List<WaiterSnapshot> waiters(Bucket b) {
        long timeout = b.conditions.tuning().queueTimeoutNanos;
        List<WaiterSnapshot> all = new ArrayList<>();
        for (Waiter w = b.ledger.arrivals.first(); w != null; w = w.arrival.after()) {
            all.add(of(w, w.queuedAt, timeout));
        }
        for (Waiter w : b.lane.all()) {
            all.add(of(w, w.arrivedAt, timeout));
        }
        all.sort(Comparator.comparingLong(WaiterSnapshot::since));
        return Collections.unmodifiableList(all);
    }

    private static WaiterSnapshot of(Waiter w, long since, long timeout) {
        String login = w.pool == null ? "" : w.pool.login.name;
        return new WaiterSnapshot(w.client(), login, since, since + timeout);
    }
}
