package dev.comporta.proxy.watch;

import java.util.concurrent.atomic.LongAdder;

/** Counters of clients that belong to no bucket yet. Any thread. */
public final class EntryCounts {
    private final LongAdder handshakes = new LongAdder();
    private final LongAdder failedHandshakes = new LongAdder();
    private final RefusalCounts refusals = new RefusalCounts();

    /** Counts a TLS handshake with a client that has ended. */
    public void shookHands(boolean succeeded) {
        (succeeded ? handshakes : failedHandshakes).increment();
    }

    public long handshakes() {
        return handshakes.sum();
    }

    public long failedHandshakes() {
        return failedHandshakes.sum();
    }

    public RefusalCounts refusals() {
        return refusals;
    }
}
