package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * How long things may take before Comporta ends them. Zero, where a key allows it, means no limit.
 *
 * @param drainDelay how long a stopping instance still accepts clients, so that load balancers notice first; may be zero
 */
public record TimeoutConfig(
        Duration session,
        Duration idle,
        Duration login,
        Duration query,
        Duration idleInTransaction,
        Duration stalledRequest,
        Duration cancel,
        Duration queue,
        Duration drainDelay,
        Duration shutdown) {
    private static final Key<Duration> SESSION = Key.of("session_timeout", ValueTypes.durationOrOff(), "5m");
    private static final Key<Duration> IDLE = Key.of("idle_timeout", ValueTypes.durationOrOff(), "60s");
    private static final Key<Duration> LOGIN = Key.of("login_timeout", ValueTypes.duration(), "30s");
    private static final Key<Duration> QUERY = Key.of("query_timeout", ValueTypes.durationOrOff(), "0s");
    private static final Key<Duration> IDLE_IN_TRANSACTION =
            Key.of("idle_in_transaction_timeout", ValueTypes.durationOrOff(), "0s");
    private static final Key<Duration> STALLED_REQUEST =
            Key.of("stalled_request_timeout", ValueTypes.duration(), "30s");
    private static final Key<Duration> CANCEL = Key.of("cancel_timeout", ValueTypes.duration(), "30s");
    private static final Key<Duration> QUEUE = Key.of("queue_timeout", ValueTypes.duration(), "30s");
    // No delay: the right one depends on the load balancer, and without one a delay is useless.
    private static final Key<Duration> DRAIN_DELAY = Key.of("drain_delay", ValueTypes.durationOrOff(), "0s");
    private static final Key<Duration> SHUTDOWN = Key.of("shutdown_timeout", ValueTypes.duration(), "15s");

    static final Schema SCHEMA = Schema.of(
            SESSION, IDLE, LOGIN, QUERY, IDLE_IN_TRANSACTION, STALLED_REQUEST, CANCEL, QUEUE, DRAIN_DELAY, SHUTDOWN);

    static TimeoutConfig read(Section section) {
        TimeoutConfig settings = new TimeoutConfig(
                section.get(SESSION),
                section.get(IDLE),
                section.get(LOGIN),
                section.get(QUERY),
                section.get(IDLE_IN_TRANSACTION),
                section.get(STALLED_REQUEST),
                section.get(CANCEL),
                section.get(QUEUE),
                section.get(DRAIN_DELAY),
                section.get(SHUTDOWN));
        if (!settings.session.isZero() && settings.idle.compareTo(settings.session) > 0) {
            section.warn(
                    IDLE.name(),
                    "It is longer than session_timeout, so it never comes into play.",
                    "Lower it, or raise session_timeout.");
        }
        return settings;
    }
}
