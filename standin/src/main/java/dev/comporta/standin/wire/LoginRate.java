package dev.comporta.standin.wire;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Counts logins over the last second. */
final class LoginRate {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Deque<Long> times = new ArrayDeque<>();

    /** Whether one more login fits, which then counts; any does when the limit is 0. */
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
