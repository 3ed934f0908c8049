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
 * Runs what takes processor time and can wait: queries and pages for those who look at the instance. Its threads have a lower
 * priority than the event loops, so that the kernel takes the processor from them when a loop has something to do. So many
 * run at a time as there are turns, first come first served. Who waits for somebody else gives the turn away meanwhile, and
 * who takes long gives way now and then: nobody can take all turns. Any thread but an event loop.
 */
public final class BackgroundWork implements Executor {
    /**
     * A tenth of the share of an event loop on the same processor, if that has work for all of the time. It is not less,
     * because a thread that runs Java code has to be run before the collector can begin: until then the loops wait for it.
     */
    private static final int NICE = 10;

    /** The other half of the processors is out of its reach, whatever is asked for. */
    private static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /** Longer than a usual answer takes, so that it is made in one go. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long KEPT_SECONDS = 10;

    /** Something that waits. */
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
    /** A thread for each turn, and one for each piece of work that waits without its turn. */
    private final ExecutorService threads;

    public BackgroundWork() {
        this(TURNS);
    }

    /** @param turns how many may run at a time */
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

    /** Has it run when its turn comes. Returns at once. */
    @Override
    public void execute(Runnable work) {
        Thread.ofVirtual()
                .name("background")
                .start(() -> call(() -> {
                    work.run();
                    return true;
                }));
    }

    /** Runs it when its turn comes, and waits for that; for virtual threads, which may. */
    public <T> T call(Supplier<T> work) {
        if (Thread.currentThread() instanceof Worker) {
            return work.get(); // it has its turn
        }
        turns.acquireUninterruptibly();
        FutureTask<T> task = new FutureTask<>(() -> inTurn(work));
        try {
            threads.execute(task);
        } catch (Throwable e) { // no thread is to be had
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

    /** Waits for somebody else; if this is background work, without its turn. */
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

    /** To be called now and then by what may take long: others have their turn, if its own has taken a while. */
    public static void giveWay() {
        if (Thread.currentThread() instanceof Worker worker
                && worker.turns.hasQueuedThreads()
                && System.nanoTime() - worker.turnBegan >= SLICE_NANOS) {
            worker.turns.release();
            worker.takeTurn();
        }
    }
}
