package dev.comporta.e2e.fleet;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What the fleet promises to do within a time. Time in which this machine stood still does not count, for nobody can keep a
 * promise in it: a thread that wants to run fifty times a second knows it by when it could not. Used by one thread.
 */
final class TimeLimit {
    private static final Duration TURN = Duration.ofMillis(20);

    /** Less than this late is a busy machine, on which whoever waits gets its turn. */
    private static final Duration BUSY = Duration.ofMillis(100);

    private static final AtomicLong STOOD_STILL = new AtomicLong();

    static {
        Thread.ofPlatform().daemon().name("standstill").start(TimeLimit::watch);
    }

    private final long end;
    private final long stoodStill = STOOD_STILL.get();
    private long excused;

    private TimeLimit(Duration time) {
        end = System.nanoTime() + time.toNanos();
    }

    /** From now on. */
    static TimeLimit of(Duration time) {
        return new TimeLimit(time);
    }

    private static void watch() {
        for (long last = System.nanoTime(); ; ) {
            LockSupport.parkNanos(TURN.toNanos());
            long now = System.nanoTime();
            long late = now - last - TURN.toNanos();
            if (late > BUSY.toNanos()) {
                STOOD_STILL.addAndGet(late);
            }
            last = now;
        }
    }

    /** What was done since then had to be done, but not by the fleet. */
    void excuse(long sinceNanos) {
        excused += System.nanoTime() - sinceNanos;
    }

    /** Nothing when it is over. */
    Duration left() {
        long left = end + excused + STOOD_STILL.get() - stoodStill - System.nanoTime();
        return Duration.ofNanos(Math.max(0, left));
    }
}
