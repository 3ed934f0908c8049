package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.DurationText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * The health checks of a database.
 *
 * @param interval 0 turns checks of idle connections off
 * @param failureThreshold failures in a row after which it counts as down
 * @param recoveryThreshold successes in a row after which it counts as up again
 * @param backoff the pause after the first failed attempt, doubled after each further one up to {@code maxBackoff}
 */
public record HealthConfig(
        Type type,
        String query,
        Duration timeout,
        Duration interval,
        int failureThreshold,
        int recoveryThreshold,
        Duration backoff,
        Duration maxBackoff) {
    /** What a health check does. */
    public enum Type {
        /** Connects. */
        PING,
        /** Runs {@code query}. */
        QUERY,
        /** Resets a connection, then runs {@code query}. */
        FULL
    }

    private static final Key<Type> TYPE = Key.of("type", ValueTypes.choice(Type.class), "ping");
    private static final Key<String> QUERY = Key.of("query", ValueTypes.text("a query"), "SELECT 1");
    private static final Key<Duration> TIMEOUT = Key.of("timeout", ValueTypes.duration(), "5s");
    private static final Key<Duration> INTERVAL = Key.of("interval", ValueTypes.durationOrOff(), "30s");
    private static final Key<Integer> FAILURE_THRESHOLD = Key.of("failure_threshold", ValueTypes.integer(1, 1000), "3");
    private static final Key<Integer> RECOVERY_THRESHOLD =
            Key.of("recovery_threshold", ValueTypes.integer(1, 1000), "2");
    private static final Key<Duration> BACKOFF = Key.of("backoff", ValueTypes.duration(), "500ms");
    private static final Key<Duration> MAX_BACKOFF = Key.of("max_backoff", ValueTypes.duration(), "5s");

    static final Schema SCHEMA =
            Schema.of(TYPE, QUERY, TIMEOUT, INTERVAL, FAILURE_THRESHOLD, RECOVERY_THRESHOLD, BACKOFF, MAX_BACKOFF);

    public HealthConfig {
        new Consistency()
                .refuse(!interval.isZero() && timeout.compareTo(interval) > 0, "timeout", "interval")
                .because(
                        "A check could still run when the next is due: interval is " + DurationText.format(interval)
                                + ".",
                        "Make it at most interval.")
                .refuse(maxBackoff.compareTo(backoff) < 0, "max_backoff", "backoff")
                .because(
                        "It is shorter than backoff (" + DurationText.format(backoff) + "), from which pauses grow.",
                        "Raise it, or lower backoff.")
                .orThrow();
    }

    static HealthConfig read(Section section) {
        return section.make(health -> new HealthConfig(
                health.get(TYPE),
                health.get(QUERY),
                health.get(TIMEOUT),
                health.get(INTERVAL),
                health.get(FAILURE_THRESHOLD),
                health.get(RECOVERY_THRESHOLD),
                health.get(BACKOFF),
                health.get(MAX_BACKOFF)));
    }
}
