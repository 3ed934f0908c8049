package dev.comporta.lease.suite;

import dev.comporta.lease.LeaseClock;
import java.time.Duration;

/** An instance's clock: goes as the machine's does, until it is stopped; then time passes when it is told to. */
public final class TestClock {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private long ahead;
    /** {@link Long#MIN_VALUE} while it goes. */
    private long stoppedAt = Long.MIN_VALUE;

    public LeaseClock forLeases() {
        return new LeaseClock(this::nanos, () -> nanos() / NANOS_PER_MILLI);
    }

    private synchronized long nanos() {
        return stoppedAt == Long.MIN_VALUE ? System.nanoTime() + ahead : stoppedAt;
    }

    public synchronized void stop() {
        stoppedAt = nanos();
    }

    /** While it is stopped. */
    public synchronized void pass(Duration time) {
        stoppedAt += time.toNanos();
    }

    /** Goes on from the time it shows. */
    public synchronized void go() {
        ahead = stoppedAt - System.nanoTime();
        stoppedAt = Long.MIN_VALUE;
    }
}
