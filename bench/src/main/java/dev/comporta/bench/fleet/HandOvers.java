package dev.comporta.bench.fleet;

import java.util.ArrayDeque;
import org.HdrHistogram.Histogram;

/** Measures how long the slots of one bucket belonged to no instance. Any thread. */
final class HandOvers {
    private final ArrayDeque<Long> freeSince = new ArrayDeque<>();
    private final Histogram latency;

    /** @param latency the latencies of all buckets in microseconds; thread-safe */
    HandOvers(Histogram latency) {
        this.latency = latency;
    }

    synchronized void slotIsFree() {
        freeSince.add(System.nanoTime());
    }

    /** Slots that were never in use before are not measured. */
    synchronized void slotIsTaken() {
        Long since = freeSince.poll();
        if (since != null) {
            latency.recordValue((System.nanoTime() - since) / 1000);
        }
    }
}
