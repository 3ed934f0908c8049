package dev.comporta.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A thread and its clock, both of which stand still until the test moves them. */
public final class ManualThread extends AbstractExecutorService implements ScheduledExecutorService {
    private static final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
        final long at;

        Task(Runnable what, long at) {
            super(what, null);
            this.at = at;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException();
        }
    }

    private final List<Task> tasks = new ArrayList<>();
    private long now;

    public ManualThread(long now) {
        this.now = now;
    }

    public long now() {
        return now;
    }

    /** The clock goes on; what becomes due is not run yet, as when the thread is busy. */
    public void pass(long nanos) {
        now += nanos;
    }

    /** Runs the first task that is due. */
    public boolean runDue() {
        Task first = null;
        for (Task task : tasks) {
            if (task.at <= now && (first == null || task.at < first.at)) {
                first = task;
            }
        }
        if (first == null) {
            return false;
        }
        tasks.remove(first);
        first.run();
        if (!first.isCancelled() && first.state() == Task.State.FAILED) {
            throw new AssertionError(first.exceptionNow());
        }
        return true;
    }

    /** The clock goes on, and each task is run at its time. */
    public void run(long nanos) {
        long end = now + nanos;
        while (nextTask() <= end) {
            now = Math.max(now, nextTask());
            runDue();
        }
        now = end;
    }

    /** When the first task is due. */
    public long nextTask() {
        tasks.removeIf(Task::isCancelled);
        long next = Long.MAX_VALUE;
        for (Task task : tasks) {
            next = Math.min(next, task.at);
        }
        return next;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(task, now));
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Task task = new Task(command, now + unit.toNanos(delay));
        tasks.removeIf(Task::isCancelled);
        tasks.add(task);
        return task;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
