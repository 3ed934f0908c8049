package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * What happens to a request when no slot is available.
 *
 * @param policy {@code exhaustion_policy}
 * @param overflowConnections {@code overflow_connections}: how many connections {@code overflow} may open beyond the limit
 * @param overflowLifetime {@code overflow_lifetime}: after this an overflow connection serves no other client
 */
public record ExhaustionSettings(Policy policy, int overflowConnections, Duration overflowLifetime) {
    public static final ExhaustionSettings DEFAULTS = new ExhaustionSettings(Policy.WAIT, 0, Duration.ofSeconds(30));

    /** The three answers to an exhausted pool. */
    public enum Policy {
        /** Wait in the queue, first come first served. */
        WAIT,
        /** Refuse at once. */
        FAIL_FAST,
        /** Open a bounded number of short-lived connections beyond the limit, then wait. */
        OVERFLOW
    }

    public ExhaustionSettings {
        Require.atLeast("overflow_connections", overflowConnections, 0);
        Require.positive("overflow_lifetime", overflowLifetime);
        Require.that(
                policy == Policy.OVERFLOW || overflowConnections == 0,
                "overflow_connections is " + overflowConnections + " but exhaustion_policy is " + policy
                        + ": set exhaustion_policy to overflow, or overflow_connections to 0");
        Require.that(
                policy != Policy.OVERFLOW || overflowConnections > 0,
                "exhaustion_policy is overflow but overflow_connections is 0: set it to 1 or more, or choose wait");
    }
}
