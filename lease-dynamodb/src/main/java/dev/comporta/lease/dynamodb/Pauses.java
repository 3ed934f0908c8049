package dev.comporta.lease.dynamodb;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.random.RandomGenerator;

/** The pauses between the attempts of one call, within a deadline. Confined to the call's thread. */
final class Pauses {
    private static final long FIRST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 500;

    private final long deadline;
    private final RandomGenerator random;
    private long next = FIRST_MILLIS;
    private boolean once;

    Pauses(Duration within, RandomGenerator random) {
        deadline = System.nanoTime() + within.toNanos();
        this.random = random;
    }

    /** Throws if the deadline has passed while an earlier call was carried out: nothing waits for this one any more. */
    void throwIfOver() {
        if (deadline - System.nanoTime() <= 0) {
            throw new CancellationException("an earlier call of this bucket took too long");
        }
    }

    /**
     * Pauses longer each time, and half of it at random, so that instances that collided don't collide again. Throws the
     * failure if the pause would exceed the deadline.
     */
    void afterOrThrow(RuntimeException failure) {
        long millis = next / 2 + random.nextLong(next / 2 + 1);
        next = Math.min(next * 2, LONGEST_MILLIS);
        if (deadline - System.nanoTime() <= millis * 1_000_000L) {
            throw failure;
        }
        sleep(Duration.ofMillis(millis));
    }

    /** The same once; the second time it throws the failure at once. */
    void onceOrThrow(RuntimeException failure) {
        if (once) {
            throw failure;
        }
        once = true;
        afterOrThrow(failure);
    }

    static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("closed");
        }
    }
}
