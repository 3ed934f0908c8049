package dev.comporta.lease;

import java.util.function.LongSupplier;

/**
 * The clock that measures leases. In no interval is it slower than either clock of the machine: the monotonic clock may
 * stand still while a virtual machine is suspended, and the wall clock may be set back.
 */
public final class LeaseClock {
    /** If the wall clock has gained or lost more than this against the monotonic clock, one of them has made a step. */
    private static final long DOUBT = 1_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final LongSupplier nanos;
    private final LongSupplier millis;
    private final long firstNanos;
    private final long firstMillis;
    /** How far the wall clock was ahead after the last step. It may have been set back since the clock was made. */
    private volatile long ahead;
    /** All that the wall clock has gained by steps: each is taken for a time in which the monotonic clock stood still. */
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
        if (Math.abs(aheadOf(mono) - ahead) > DOUBT) {
            noteStep();
        }
        return mono + missed;
    }

    private long aheadOf(long mono) {
        return (millis.getAsLong() - firstMillis) * NANOS_PER_MILLI - mono;
    }

    /** Reads both clocks again, because another thread may have noted this step. */
    private synchronized void noteStep() {
        long aheadNow = aheadOf(nanos.getAsLong() - firstNanos);
        long step = aheadNow - ahead;
        if (step > DOUBT) {
            missed += step;
        }
        if (Math.abs(step) > DOUBT) {
            ahead = aheadNow;
        }
    }
}
