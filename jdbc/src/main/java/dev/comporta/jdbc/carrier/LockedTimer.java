package dev.comporta.jdbc.carrier;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bucket's thread, as the core understands it: the thread that has the carrier's lock. Each task runs on one virtual
 * thread, under the lock.
 */
final class LockedTimer extends ScheduledThreadPoolExecutor {
    private static final Logger log = LoggerFactory.getLogger(LockedTimer.class);

    private final WakingLock lock;

    LockedTimer(String name, WakingLock lock) {
        super(1, Thread.ofVirtual().name("comporta-timer-" + name).factory());
        this.lock = lock;
        setRemoveOnCancelPolicy(true);
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        lock.enter();
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable failure) {
        lock.leave();
        Throwable cause = failure == null ? failureOf(task) : failure;
        if (cause != null) {
            log.error("internal error in a scheduled task of a pool", cause);
        }
    }

    private static @Nullable Throwable failureOf(Runnable task) {
        if (!(task instanceof Future<?> future) || !future.isDone()) {
            return null;
        }
        try {
            future.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (CancellationException | InterruptedException _) {
            return null;
        }
    }
}
