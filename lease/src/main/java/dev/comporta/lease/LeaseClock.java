package dev.comporta.lease;

import java.util.function.LongSupplier;

/**
 * The clock leases are measured by: never slower than either of the machine's two. The monotonic one may stand still
 * while a virtual machine is suspended; the other one may be set back.
 */
public final class LeaseClock {
    /** Beyond this the wall clock is believed to have seen time that the monotonic one has not. */
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
    long now() {
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
