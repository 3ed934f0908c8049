package dev.comporta.http;

import java.time.Duration;

/**
 * The limits for streams, separate from those for other connections, so that pages left open don't lock probes out.
 *
 * @param most streams at the same time on a port
 * @param pendingBytes bytes sent and not yet read, beyond which the reader is disconnected
 * @param life after which a stream ends, and its reader asks again: this also removes readers whose connection was lost unnoticed
 */
public record StreamLimits(int most, int pendingBytes, Duration life) {
    /**
     * Enough for some dozens of screens and a few people at their desks. The largest message to the live page has about 100
     * KB for 200 buckets: a reader that is several of them behind won't catch up.
     */
    public static final StreamLimits DEFAULTS = new StreamLimits(64, 512 * 1024, Duration.ofMinutes(5));
}
