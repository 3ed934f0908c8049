package dev.comporta.app.console;

import dev.comporta.ops.config.value.DurationText;
import java.time.Duration;

/**
 * The phases in which an instance stops.
 *
 * @param delay {@code drain_delay}: the instance is not ready, and still accepts and serves clients
 * @param timeout {@code shutdown_timeout}: then it accepts no clients, and connected ones may end their requests and transactions
 */
public record DrainPlan(Duration delay, Duration timeout) {
    /** The longest time that it can take. */
    public Duration longest() {
        return delay.plus(timeout);
    }

    public String text() {
        return "Draining: not ready; "
                + (delay.isZero()
                        ? "no new clients (drain_delay is 0)"
                        : "new clients for " + DurationText.format(delay) + " more (drain_delay)")
                + "; then requests and transactions may end, for at most " + DurationText.format(timeout)
                + " (shutdown_timeout).";
    }
}
