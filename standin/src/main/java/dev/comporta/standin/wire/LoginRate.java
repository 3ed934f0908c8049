package dev.comporta.standin.wire;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Counts logins over the last second. */
final class LoginRate {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Deque<Long> times = new ArrayDeque<>();

    /** Whether one more login is within the limit, which then counts; a limit of 0 allows all. */
    synchronized boolean allows(int perSecond) {
        if (perSecond == 0) {
            times.clear();
            return true;
        }
        long now = System.nanoTime();
        while (!times.isEmpty() && now - times.peekFirst() >= WINDOW_NANOS) {
            times.removeFirst();
        }
        if (times.size() >= perSecond) {
            return false;
        }
        times.addLast(now);
        return true;
    }
}
