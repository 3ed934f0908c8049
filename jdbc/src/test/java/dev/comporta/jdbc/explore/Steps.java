package dev.comporta.jdbc.explore;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What {@link SteppedClasses} calls instead of the JDK, or before an access to what threads share. A thread that is no actor of a
 * run gets what the JDK does.
 */
public final class Steps {
    private Steps() {}

    public static void step(String where) {
        Actor actor = Actor.current();
        if (actor != null) {
            actor.step(where);
        }
    }

    public static void lock(ReentrantLock lock) {
        Actor actor = Actor.current();
        if (actor == null) {
            lock.lock();
        } else {
            actor.lock(lock);
        }
    }

    public static void unlock(ReentrantLock lock) {
        Actor actor = Actor.current();
        if (actor == null) {
            lock.unlock();
        } else {
            actor.unlock(lock);
        }
    }

    public static void parkNanos(Object blocker, long nanos) {
        Actor actor = Actor.current();
        if (actor == null) {
            LockSupport.parkNanos(blocker, nanos);
        } else {
            actor.park(nanos);
        }
    }

    public static void unpark(Thread thread) {
        Actor actor = Actor.of(thread);
        if (actor == null) {
            LockSupport.unpark(thread);
        } else {
            step("unpark");
            actor.unpark();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")
    public static void yield() {
        Actor actor = Actor.current();
        if (actor != null) {
            actor.giveWay();
        } else {
            Thread.yield();
        }
    }

    public static boolean isInterrupted(Thread thread) {
        Actor actor = Actor.of(thread);
        return actor == null ? thread.isInterrupted() : actor.isInterrupted();
    }

    /** Numbers that are the same in each run: places are chosen by them. */
    public static long threadId(Thread thread) {
        Actor actor = Actor.of(thread);
        return actor == null ? thread.threadId() : actor.number();
    }

    public static long nanoTime() {
        Actor actor = Actor.current();
        return actor == null ? System.nanoTime() : actor.nanoTime();
    }
}
