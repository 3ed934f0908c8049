package dev.comporta.ops.metrics;

import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.lease.LeaseView;
import dev.comporta.ops.config.fleet.LeasesIn;
import dev.comporta.ops.health.HealthReport;
import dev.comporta.ops.watch.InstanceTable;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.BucketSight;
import dev.comporta.ops.watch.Observation.FleetSight;
import dev.comporta.ops.watch.Observation.PreparedSight;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.TrafficSnapshot;
import java.util.Locale;
import java.util.Map;

/** The figures of an instance, its buckets and its fleet. */
final class InstanceFigures {
    private static final double NANOS = 1e9;

    private InstanceFigures() {}

    static void collect(Observation seen, Scrape to) {
        seen.buckets().forEach(bucket -> bucket(bucket, to));
        seen.fleet().ifPresent(fleet -> fleet(fleet, to));
        table(InstanceTable.of(seen), to);
        to.gauge(Metric.DEGRADED, seen.fleet().map(FleetSight::isDegraded).orElse(false));
        seen.dataPlane().refusedConnections().forEach((why, n) -> to.counter(Metric.CONNECTIONS_REFUSED, n, why));
        seen.dataPlane()
                .certificateExpiry()
                .ifPresent(expiry -> to.gauge(Metric.CERTIFICATE_EXPIRY, expiry.getEpochSecond()));
        to.gauge(Metric.READY, HealthReport.of(seen).isReady());
        to.counter(Metric.CONFIG_RELOADS, seen.reloads().applied(), "applied");
        to.counter(Metric.CONFIG_RELOADS, seen.reloads().failed(), "failed");
        to.gauge(Metric.CONFIG_LAST_RELOAD_FAILED, seen.reloads().lastFailed());
    }

    private static void bucket(BucketSight bucket, Scrape to) {
        String id = bucket.id();
        BucketSnapshot pool = bucket.pool();
        to.gauge(Metric.CLIENTS, bucket.clients(), id);
        to.gauge(Metric.CONNECTIONS_ACTIVE, pool.active(), id);
        to.gauge(Metric.CONNECTIONS_IDLE, pool.idle(), id);
        to.gauge(Metric.CONNECTIONS_PINNED, pool.count(ConnectionState.PINNED), id);
        to.gauge(Metric.CONNECTIONS_MAX, pool.limit(), id);
        pool.connectionsByState().forEach((state, n) -> {
            if (state != ConnectionState.CLOSED) {
                to.gauge(Metric.CONNECTIONS_IN_STATE, n, id, word(state));
            }
        });
        to.gauge(Metric.QUEUE_LENGTH, pool.waiting(), id);
        to.gauge(Metric.SNAPSHOT_AGE, bucket.age().toNanos() / NANOS, id);
        to.gauge(Metric.BUCKET_UP, pool.health().state() == HealthState.UP, id);
        to.gauge(Metric.BUCKET_FULL, pool.room().full(), id);
        to.counter(Metric.HEALTH_CHECKS, pool.health().checksPassed(), id, "success");
        to.counter(Metric.HEALTH_CHECKS, pool.health().checksFailed(), id, "failure");
        traffic(id, pool, to);
        prepared(id, bucket.prepared(), to);
        errors(id, pool, to);
        to.histogram(Metric.QUEUE_WAIT, pool.waitTime(), id);
        to.histogram(Metric.QUEUE_WAIT_IN_VAIN, pool.waitInVainTime(), id);
        to.histogram(Metric.CONNECT_DURATION, pool.connectTime(), id);
        to.histogram(Metric.QUERY_DURATION, pool.queryTime(), id);
    }

    private static void traffic(String id, BucketSnapshot pool, Scrape to) {
        TrafficSnapshot traffic = pool.traffic();
        to.counter(Metric.CONNECTIONS_TOTAL, traffic.attached(), id, "acquired");
        to.counter(Metric.CONNECTIONS_TOTAL, traffic.released(), id, "released");
        to.counter(Metric.CONNECTIONS_TOTAL, traffic.cancelled(), id, "cancelled");
        to.counter(Metric.CONNECTIONS_TOTAL, traffic.opened(), id, "opened");
        to.counter(Metric.CONNECTIONS_TOTAL, traffic.closed(), id, "closed");
        pool.refused().forEach((why, n) -> to.counter(Metric.CONNECTIONS_TOTAL, n, id, word(why)));
        pool.closed().forEach((why, n) -> to.counter(Metric.CONNECTIONS_CLOSED, n, id, word(why)));
        to.counter(Metric.BYTES, traffic.bytesSent(), id, "sent");
        to.counter(Metric.BYTES, traffic.bytesReceived(), id, "received");
        pool.pins().forEach((why, n) -> to.counter(Metric.PINS, n, id, word(why)));
        pool.pinnedNanos().forEach((why, nanos) -> to.counter(Metric.PINNED_SECONDS, nanos / NANOS, id, word(why)));
        to.counter(Metric.RESERVOIR_EMPTY, traffic.queued(), id);
        to.counter(Metric.RESERVOIR_REFILLS, pool.refills(), id);
        to.counter(Metric.RESERVOIR_REFILL_FAILURES, pool.refillFailures(), id);
    }

    private static void prepared(String id, PreparedSight prepared, Scrape to) {
        to.gauge(Metric.PREPARED_TEXTS, prepared.texts(), id);
        to.gauge(Metric.PREPARED_BYTES, prepared.bytes(), id);
        to.counter(Metric.PREPARED_EXECUTIONS, prepared.hits(), id, "handle");
        to.counter(Metric.PREPARED_EXECUTIONS, prepared.asText(), id, "text");
        to.counter(Metric.PREPARED_AGAIN, prepared.preparedAgain(), id);
        to.counter(Metric.PREPARED_PINNING, prepared.pinned(), id);
    }

    private static void errors(String id, BucketSnapshot pool, Scrape to) {
        Map<OpenFailure, Long> failures = pool.openFailures();
        to.counter(Metric.CONNECTION_ERRORS, failures.getOrDefault(OpenFailure.UNREACHABLE, 0L), id, "create_failed");
        long rejected = failures.getOrDefault(OpenFailure.LOGIN_REJECTED, 0L)
                + failures.getOrDefault(OpenFailure.NOT_READY, 0L);
        to.counter(Metric.CONNECTION_ERRORS, rejected, id, "login_rejected");
        to.counter(Metric.CONNECTION_ERRORS, failures.getOrDefault(OpenFailure.LOGIN_FAILED, 0L), id, "login_failed");
        to.counter(Metric.CONNECTION_ERRORS, failures.getOrDefault(OpenFailure.FULL, 0L), id, "full");
        long secretless = failures.getOrDefault(OpenFailure.NO_CREDENTIALS, 0L);
        to.counter(Metric.CONNECTION_ERRORS, secretless, id, "no_credentials");
        to.counter(Metric.CONNECTION_ERRORS, pool.traffic().resetFailures(), id, "reset_failed");
        to.counter(Metric.CONNECTION_ERRORS, pool.traffic().validationFailures(), id, "validation_failed");
        to.counter(Metric.CONNECTION_ERRORS, pool.closed().getOrDefault(CloseReason.LOST, 0L), id, "lost");
    }

    private static void fleet(FleetSight fleet, Scrape to) {
        for (LeaseView lease : fleet.leases()) {
            to.gauge(Metric.FALLBACK_ACTIVE, lease.standing() == LeaseView.Standing.FALLBACK, lease.bucket());
            to.gauge(Metric.SLOTS_LIMIT, lease.limit(), lease.bucket());
            to.gauge(Metric.SLOTS_LIMIT_DISPUTED, lease.isLimitDisputed(), lease.bucket());
        }
        boolean dynamodb = fleet.store() == LeasesIn.DYNAMODB;
        Metric operations = dynamodb ? Metric.DYNAMODB_OPERATIONS : Metric.REDIS_OPERATIONS;
        Metric latency = dynamodb ? Metric.DYNAMODB_LATENCY : Metric.REDIS_LATENCY;
        for (Operation operation : Operation.values()) {
            for (Outcome outcome : Outcome.values()) {
                to.counter(operations, fleet.operations().of(operation, outcome), word(operation), word(outcome));
            }
        }
        fleet.operations().latency().ifPresent(time -> to.gauge(latency, time.toNanos() / NANOS));
    }

    private static void table(InstanceTable table, Scrape to) {
        for (InstanceTable.Row row : table.rows()) {
            to.gauge(Metric.INSTANCE_HEARTBEAT, !row.degraded(), row.instance());
            for (InstanceTable.Holding holding : row.holdings()) {
                to.gauge(Metric.SLOTS_HELD, holding.held(), holding.bucket(), row.instance());
                to.gauge(Metric.SLOTS_WAITING, holding.waiting(), holding.bucket(), row.instance());
            }
        }
    }

    private static String word(Refusal why) {
        return switch (why) {
            case POOL_EXHAUSTED -> "exhausted";
            case QUEUE_TIMEOUT -> "timeout";
            case QUEUE_FULL -> "queue_full";
            case SERVER_UNAVAILABLE -> "unavailable";
            case LOGIN_REJECTED -> "login_rejected";
            case LOGIN_FAILED -> "login_failed";
            case REMOVED -> "removed";
        };
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
