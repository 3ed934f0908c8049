package dev.comporta.lease;

import java.util.function.LongSupplier;

/**
 * The clock that measures leases. It is never slower than either clock of the machine: the monotonic clock may stand
 * still while a virtual machine is suspended, and the wall clock may be set back.
 */
public final class LeaseClock {
    /** If the wall clock is ahead by more than this, the monotonic clock has stood still. */
    private static final long DOUBT = 1_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final LongSupplier nanos;
    private final LongSupplier millis;
    private final long firstNanos;
    private final long firstMillis;
    private volatile long missed;

    public LeaseClock() {
        this(System::nanoTime, System::currentTimeMillis);
    }

    public LeaseClock(LongSupplier nanos, LongSupplier millis) {
        this.nanos = nanos;
        this.millis = millis;
        firstNanos = nanos.getAsLong();
        firstMillis = millis.getAsLong();
    }

    /** Nanoseconds since this clock was made. */
    public long now() {
        long mono = nanos.getAsLong() - firstNanos;
        long ahead = (millis.getAsLong() - firstMillis) * NANOS_PER_MILLI - mono;
        if (ahead > missed + DOUBT) {
            noteMissed(ahead);
        }
        return mono + missed;
    }

    private synchronized void noteMissed(long ahead) {
        missed = Math.max(missed, ahead);
    }
}
