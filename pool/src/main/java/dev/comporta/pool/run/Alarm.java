package dev.comporta.pool.run;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Goes off at the next deadline of a bucket. Confined to the executor's only thread. */
final class Alarm {
    private static final long NOT_ARMED = Long.MAX_VALUE;

    private final ScheduledExecutorService thread;
    private final LongSupplier clock;
    private final Runnable goesOff;

    /** The next deadline or earlier. An early alarm is harmless, and cheaper than setting it again. */
    private long armedFor = NOT_ARMED;

    private @Nullable Future<?> pending;

    Alarm(ScheduledExecutorService thread, LongSupplier clock, Runnable goesOff) {
        this.thread = thread;
        this.clock = clock;
        this.goesOff = goesOff;
    }

    /** {@link Long#MAX_VALUE} if nothing will be due. */
    long armedFor() {
        return armedFor;
    }

    /** @param due {@link Long#MAX_VALUE} if nothing will be */
    void setFor(long due) {
        if (due < armedFor) {
            disarm();
            armedFor = due;
            pending = thread.schedule(this::goOff, Math.max(0, due - clock.getAsLong()), TimeUnit.NANOSECONDS);
        } else if (due == NOT_ARMED) {
            disarm(); // the bucket is drained
        }
    }

    private void disarm() {
        if (pending != null) {
            pending.cancel(false);
            pending = null;
        }
        armedFor = NOT_ARMED;
    }

    private void goOff() {
        pending = null;
        armedFor = NOT_ARMED;
        goesOff.run();
    }
}
