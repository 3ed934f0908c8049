package dev.comporta.app.console;

import dev.comporta.ops.config.value.DurationText;
import java.time.Duration;

/**
 * How an instance stops.
 *
 * @param delay {@code drain_delay}: it is not ready, and accepts and serves clients still
 * @param timeout {@code shutdown_timeout}: then it accepts none, and clients may end their requests and transactions
 */
public record DrainPlan(Duration delay, Duration timeout) {
    /** How long it takes, if clients take all the time there is. */
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
