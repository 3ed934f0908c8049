package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * How a bucket's health is checked, and the pauses after failures.
 *
 * @param check {@code health_check_type}: how an idle connection is asked whether it still works
 * @param interval {@code health_check_interval}: idle connections without an answer from the server for this long are
 *     checked; 0 for never
 * @param timeout {@code health_check_timeout}: a validation or reset that takes longer has failed
 * @param failureThreshold {@code failure_threshold}: after this many failures in a row the bucket is down
 * @param recoveryThreshold {@code recovery_threshold}: after this many successes in a row it is up again
 * @param backoff {@code backoff}: the pause after the first failed connect; doubled after each further one
 * @param maxBackoff {@code max_backoff}: the longest pause
 */
public record HealthSettings(
        Check check,
        Duration interval,
        Duration timeout,
        int failureThreshold,
        int recoveryThreshold,
        Duration backoff,
        Duration maxBackoff) {
    public static final HealthSettings DEFAULTS = new HealthSettings(
            Check.PING,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            3,
            2,
            Duration.ofMillis(500),
            // A server that is back should be found soon, and one connect in 5 s harms no server.
            Duration.ofSeconds(5));

    /** What a validation does, from cheap to thorough. The carrier decides what is sent for each. */
    public enum Check {
        /** The cheapest exchange that proves the server listens. */
        PING,
        /** Runs the configured test query. */
        QUERY,
        /** Resets the session and runs the test query. */
        FULL
    }

    public HealthSettings {
        Require.notNegative("health_check_interval", interval);
        Require.positive("health_check_timeout", timeout);
        Require.atLeast("failure_threshold", failureThreshold, 1);
        Require.atLeast("recovery_threshold", recoveryThreshold, 1);
        Require.positive("backoff", backoff);
        Require.that(
                maxBackoff.compareTo(backoff) >= 0,
                "max_backoff is " + maxBackoff + ", shorter than backoff, which is " + backoff
                        + ": the pauses grow from the one to the other");
    }
}
