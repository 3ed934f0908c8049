package dev.comporta.http;

import java.time.Duration;

/**
 * What streams may cost. They have places of their own, so that probers are not kept out by pages that are left open.
 *
 * @param most at the same time on a port
 * @param pendingBytes sent to a reader and not taken by it, before it is disconnected
 * @param life after which a stream ends, and its reader asks again: by then a reader whose connection was lost unnoticed is gone
 */
public record StreamLimits(int most, int pendingBytes, Duration life) {
    /**
     * A room full of screens, and a few readers at their desks. The largest message that the live page is sent has about 100 KB
     * for 200 buckets: a reader that is several of them behind won't catch up.
     */
    public static final StreamLimits DEFAULTS = new StreamLimits(64, 512 * 1024, Duration.ofMinutes(5));
}
