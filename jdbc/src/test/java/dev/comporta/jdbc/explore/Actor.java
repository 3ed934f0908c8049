package dev.comporta.jdbc.explore;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread of a run. One actor at a time has the turn, and only that one changes anything. */
final class Actor {
    private static final Map<Thread, Actor> ALL = new ConcurrentHashMap<>();
    /** Who waits for longer does not give up: a wait that never ends is a wake-up that was lost. */
    private static final long PATIENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Run run;
    private final int number;
    private final Thread thread;

    private boolean finished;
    private @Nullable Object wantedLock;
    private boolean parked;
    private boolean mayTimeOut;
    private boolean permit;
    private boolean interrupted;

    Actor(Run run, int number, Runnable body) {
        this.run = run;
        this.number = number;
        thread = Thread.ofVirtual().unstarted(() -> live(body));
        ALL.put(thread, this);
    }

    static @Nullable Actor current() {
        return ALL.get(Thread.currentThread());
    }

    static @Nullable Actor of(Thread thread) {
        return ALL.get(thread);
    }

    private void live(Runnable body) {
        try {
            awaitTurn();
            body.run();
        } catch (Throwable e) {
            run.failed(e);
        } finally {
            finished = true;
            ALL.remove(thread);
            run.next(this, false, "end");
        }
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    int number() {
        return number;
    }

    boolean isFinished() {
        return finished;
    }

    boolean canGoOn() {
        if (finished) {
            return false;
        }
        if (wantedLock != null) {
            return run.isFree(wantedLock);
        }
        return !parked || permit || interrupted || mayTimeOut;
    }

    // Called by the actor itself, which has the turn.

    void step(String where) {
        if (run.next(this, true, where)) {
            awaitTurn();
        }
    }

    void giveWay() {
        if (run.giveWay(this)) {
            awaitTurn();
        }
    }

    private void block(String where) {
        if (run.next(this, false, where)) {
            awaitTurn();
        }
    }

    void lock(Object lock) {
        step("lock");
        if (!run.isFree(lock)) {
            wantedLock = lock;
            block("blocked");
            wantedLock = null;
        }
        run.take(lock);
    }

    void unlock(Object lock) {
        run.free(lock);
        step("unlocked");
    }

    void park(long nanos) {
        step("park");
        if (!permit && !interrupted) {
            parked = true;
            mayTimeOut = nanos < PATIENT_NANOS;
            block("parked");
            parked = false;
            if (!permit && !interrupted) {
                run.pass(nanos);
            }
        }
        permit = false;
    }

    Actor peer(int other) {
        return run.actors().get(other);
    }

    boolean isInterrupted() {
        return interrupted;
    }

    long nanoTime() {
        return run.pass(TimeUnit.MICROSECONDS.toNanos(1));
    }

    private void awaitTurn() {
        while (!run.isTurnOf(this)) {
            LockSupport.park(run);
        }
    }

    // Called by whoever has the turn.

    void unpark() {
        permit = true;
    }

    void interrupt() {
        interrupted = true;
    }

    @Override
    public String toString() {
        return "actor " + number;
    }
}
