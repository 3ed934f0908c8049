package dev.comporta.lease.redis;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether a server still answers. A slow server answers some calls late and others in time; on a connection that the
 * network has dropped silently no answer comes. Any thread.
 */
final class Hearing {
    private final LongSupplier nanos;
    /** The time of the latest answer, or of the latest finding that there is none. */
    private final AtomicLong last;

    Hearing() {
        this(System::nanoTime);
    }

    Hearing(LongSupplier nanos) {
        this.nanos = nanos;
        last = new AtomicLong(nanos.getAsLong());
    }

    void heard() {
        last.set(nanos.getAsLong());
    }

    /**
     * Records that a call sent at this time has timed out.
     *
     * @return whether nothing else was answered since then either; of several calls that were sent together, one gets true
     */
    boolean isDeafSince(long sentAt) {
        long before = last.get();
        return sentAt - before > 0 && last.compareAndSet(before, nanos.getAsLong());
    }
}
