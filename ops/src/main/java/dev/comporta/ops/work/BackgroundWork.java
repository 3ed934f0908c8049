package dev.comporta.ops.work;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs tasks that take processor time and can wait: queries and pages of the console, HTTP and metrics. Its threads have a lower
 * priority than the event loops, so that the kernel takes the processor from them when a loop has something to do. At most
 * as many tasks run at the same time as there are turns, first come, first served. A task that waits for another thread gives
 * up its turn meanwhile, and a long task yields from time to time, so that no task keeps the turns from others. For any thread
 * but an event loop.
 */
public final class BackgroundWork implements Executor {
    /**
     * Gives a thread a tenth of an event loop's share of a processor for which both compete. Not less: before a collection
     * can begin, every thread that runs Java code must reach a safepoint, and the event loops wait for the last.
     */
    private static final int NICE = 10;

    /** Background work uses half of the processors at most, however many requests there are. */
    private static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /** Longer than a usual answer takes, so that it is not interrupted. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long KEPT_SECONDS = 10;

    /** A call that waits. */
    @FunctionalInterface
    public interface Wait<T, E extends Exception> {
        T await() throws E;
    }

    private static final class Worker extends Thread {
        private final Semaphore turns;
        private long turnBegan;

        Worker(Semaphore turns, Runnable work) {
            super(work, "background");
            this.turns = turns;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadPriority.lower(NICE);
            super.run();
        }

        void takeTurn() {
            turns.acquireUninterruptibly();
            turnBegan = System.nanoTime();
        }
    }

    private final Semaphore turns;
    /** A thread for each turn, and one for each task that waits without its turn. */
    private final ExecutorService threads;

    public BackgroundWork() {
        this(TURNS);
    }

    /** @param turns the number of tasks that may run at the same time */
    public BackgroundWork(int turns) {
        this.turns = new Semaphore(turns, true);
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                KEPT_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> new Worker(this.turns, work));
    }

    /** Runs the task when its turn comes. Returns at once. */
    @Override
    public void execute(Runnable work) {
        Thread.ofVirtual()
                .name("background")
                .start(() -> call(() -> {
                    work.run();
                    return true;
                }));
    }

    /** Runs the task when its turn comes, and waits for the result. For virtual threads, which may block. */
    public <T> T call(Supplier<T> work) {
        if (Thread.currentThread() instanceof Worker) {
            return work.get(); // it has its turn
        }
        turns.acquireUninterruptibly();
        FutureTask<T> task = new FutureTask<>(() -> inTurn(work));
        try {
            threads.execute(task);
        } catch (Throwable e) { // no thread could be started
            turns.release();
            throw e;
        }
        return result(task);
    }

    private <T> T inTurn(Supplier<T> work) {
        try {
            ((Worker) Thread.currentThread()).turnBegan = System.nanoTime();
            return work.get();
        } finally {
            turns.release();
        }
    }

    private static <T> T result(FutureTask<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failed -> throw failed;
                case Error failed -> throw failed;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for another thread. Background work gives up its turn while it waits. */
    public static <T, E extends Exception> T awaiting(Wait<T, E> what) throws E {
        if (!(Thread.currentThread() instanceof Worker worker)) {
            return what.await();
        }
        worker.turns.release();
        try {
            return what.await();
        } finally {
            worker.takeTurn();
        }
    }

    /** To be called from time to time by long tasks: a task that has had its turn for a while lets the next one run. */
    public static void giveWay() {
        if (Thread.currentThread() instanceof Worker worker
                && worker.turns.hasQueuedThreads()
                && System.nanoTime() - worker.turnBegan >= SLICE_NANOS) {
            worker.turns.release();
            worker.takeTurn();
        }
    }
}
