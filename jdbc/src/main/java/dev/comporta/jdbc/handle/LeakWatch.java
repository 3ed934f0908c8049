package dev.comporta.jdbc.handle;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each connection that is kept for too long: which thread took it, where, and how long ago. Any thread. */
public final class LeakWatch {
    private static final Logger log = LoggerFactory.getLogger(LeakWatch.class);

    private final String pool;
    private final Duration threshold;
    private final ScheduledExecutorService timer;
    private final AtomicLong suspects = new AtomicLong();

    public LeakWatch(String pool, Duration threshold, ScheduledExecutorService timer) {
        this.pool = pool;
        this.threshold = threshold;
        this.timer = timer;
    }

    /** How many loans have exceeded the threshold so far. */
    public long suspects() {
        return suspects.get();
    }

    Loan begin() {
        Loan loan = new Loan(new Throwable("taken here"), nameOf(Thread.currentThread()));
        loan.alarm = timer.schedule(() -> overdue(loan), threshold.toNanos(), TimeUnit.NANOSECONDS);
        return loan;
    }

    /** Virtual threads have no names of their own; thread dumps show their numbers. */
    private static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "#" + thread.threadId() : thread.getName();
    }

    private void overdue(Loan loan) {
        suspects.incrementAndGet();
        loan.overdue = true;
        log.warn(
                "pool {}: a connection was not returned within {} ms. Thread {} took it at the place below; close it there,"
                        + " or raise leakDetectionThreshold",
                pool,
                threshold.toMillis(),
                loan.thread,
                loan.place);
    }

    /** A loan under observation. */
    final class Loan {
        private final Throwable place;
        private final String thread;
        private final long since = System.nanoTime();
        private volatile @Nullable Future<?> alarm;
        private volatile boolean overdue;

        private Loan(Throwable place, String thread) {
            this.place = place;
            this.thread = thread;
        }

        void end() {
            Future<?> set = alarm;
            if (set != null) {
                set.cancel(false);
            }
            if (overdue) {
                log.info(
                        "pool {}: the connection that thread {} took was returned after {} ms: no leak, but a long loan",
                        pool,
                        thread,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
            }
        }
    }
}
