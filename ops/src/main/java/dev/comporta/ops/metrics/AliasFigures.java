package dev.comporta.ops.metrics;

import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.BucketSight;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.TrafficSnapshot;

/** The figures of the buckets under other pools' names. */
final class AliasFigures {
    private AliasFigures() {}

    static void collect(Observation seen, Scrape to) {
        for (BucketSight bucket : seen.buckets()) {
            reservoir(bucket.id(), bucket.pool(), to);
            pool(bucket.id(), bucket.pool(), to);
            connections(bucket.id(), bucket.pool(), to);
        }
    }

    private static void reservoir(String id, BucketSnapshot pool, Scrape to) {
        to.gauge(Alias.RESERVOIR_SIZE, pool.idle(), id);
        to.counter(Alias.RESERVOIR_CHECKOUTS, pool.traffic().attached(), id);
        to.counter(Alias.RESERVOIR_EMPTY, pool.traffic().queued(), id);
        pool.closed().forEach((why, n) -> to.counter(Alias.RESERVOIR_DISCARDS, n, id, InstanceFigures.word(why)));
        // In the pool that these names come from, only the refiller opens connections: so all opened connections count.
        to.counter(Alias.RESERVOIR_REFILLS, pool.traffic().opened(), id);
        to.counter(
                Alias.RESERVOIR_REFILL_FAILURES,
                pool.openFailures().values().stream().mapToLong(Long::longValue).sum(),
                id);
    }

    private static void pool(String id, BucketSnapshot pool, Scrape to) {
        TrafficSnapshot traffic = pool.traffic();
        to.gauge(Alias.POOL_CONNECTIONS, pool.active(), id, "active");
        to.gauge(Alias.POOL_CONNECTIONS, pool.idle(), id, "idle");
        to.counter(Alias.POOL_ACQUIRES, traffic.attached(), id);
        to.counter(Alias.POOL_RELEASES, traffic.released(), id);
        to.counter(Alias.POOL_TIMEOUTS, traffic.timeouts(), id);
        to.counter(Alias.POOL_ERRORS, pool.errors(), id);
        to.summary(Alias.POOL_ACQUIRE_DURATION, pool.waitTime(), id);
        to.gauge(Alias.POOL_HEALTHY, pool.health().state() == HealthState.UP, id);
        to.counter(Alias.POOL_HEALTH_CHECKS, pool.health().checksPassed(), id, "success");
        to.counter(Alias.POOL_HEALTH_CHECKS, pool.health().checksFailed(), id, "failure");
    }

    private static void connections(String id, BucketSnapshot pool, Scrape to) {
        to.counter(Alias.CONNECTION_QUERIES, pool.traffic().queries(), id);
        to.summary(Alias.CONNECTION_QUERY_DURATION, pool.queryTime(), id);
        to.counter(Alias.CONNECTION_BYTES_SENT, pool.traffic().bytesSent(), id);
        to.counter(Alias.CONNECTION_BYTES_RECEIVED, pool.traffic().bytesReceived(), id);
    }
}
