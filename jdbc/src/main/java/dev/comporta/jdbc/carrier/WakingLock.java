package dev.comporta.jdbc.carrier;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A lock that wakes threads after it was released: waking one takes a microsecond or more. */
final class WakingLock {
    private final ReentrantLock lock = new ReentrantLock();
    /** The threads to wake: mostly one. */
    private @Nullable Thread awakened;

    private @Nullable List<Thread> awakenedToo;

    void enter() {
        lock.lock();
    }

    /** Under the lock. */
    void wake(Thread thread) {
        if (awakened == null) {
            awakened = thread;
            return;
        }
        if (awakenedToo == null) {
            awakenedToo = new ArrayList<>();
        }
        awakenedToo.add(thread);
    }

    void leave() {
        Thread one = awakened;
        List<Thread> others = awakenedToo;
        awakened = null;
        awakenedToo = null;
        lock.unlock();
        if (one != null) {
            LockSupport.unpark(one);
        }
        if (others != null) {
            for (Thread other : others) {
                LockSupport.unpark(other);
            }
        }
    }
}
