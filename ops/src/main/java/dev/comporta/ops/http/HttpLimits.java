package dev.comporta.ops.http;

import java.time.Duration;

/**
 * What a caller may cost.
 *
 * @param connections at the same time; one more takes the place of the one that has kept silent for the longest
 * @param headBytes of a request's line and headers together
 * @param request from a request's first byte to the end of its head
 * @param idle between two requests on a connection
 * @param response for the caller to take what was asked for
 * @param linger for a caller that is refused to go on talking before it is cut off
 */
public record HttpLimits(
        int connections, int headBytes, Duration request, Duration idle, Duration response, Duration linger) {
    /**
     * A prober and two Prometheus servers need a handful of connections, and heads of a few hundred bytes. A minute and a
     * quarter of idleness is longer than any usual scrape interval, so that scrapes need not connect each time.
     */
    public static final HttpLimits DEFAULTS = new HttpLimits(
            64, 8 * 1024, Duration.ofSeconds(5), Duration.ofSeconds(75), Duration.ofSeconds(10), Duration.ofSeconds(1));
}
