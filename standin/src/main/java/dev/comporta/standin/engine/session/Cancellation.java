package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.Response;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Cancels a running request: checked between steps, interrupts waits, stops H2's statement. */
public final class Cancellation {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean running;
    private boolean cancelled;
    private @Nullable Statement statement;

    /** @param response knows of a cancel that came before this request began */
    void begin(Response response) {
        lock.lock();
        try {
            running = true;
            cancelled = response.isUnwanted();
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            running = false;
            cancelled = false;
            statement = null;
        } finally {
            lock.unlock();
        }
    }

    /** From any thread; does nothing if no request is running: the next request asks its response for the cancel. */
    void cancel() {
        Statement toStop;
        lock.lock();
        try {
            if (!running) {
                return;
            }
            cancelled = true;
            toStop = statement;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (toStop != null) {
            try {
                toStop.cancel();
            } catch (SQLException e) {
                // It has ended in the meantime.
            }
        }
    }

    public void check() {
        lock.lock();
        try {
            if (cancelled) {
                throw new RequestCancelled();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes a cancel stop this statement too, until the next call. */
    void running(@Nullable Statement current) {
        lock.lock();
        try {
            if (cancelled) {
                throw new RequestCancelled();
            }
            statement = current;
        } finally {
            lock.unlock();
        }
    }

    /** Waits, unless cancelled. */
    public void sleep(long nanos) {
        long left = nanos;
        lock.lock();
        try {
            while (left > 0) {
                if (cancelled) {
                    throw new RequestCancelled();
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestCancelled();
        } finally {
            lock.unlock();
        }
    }
}
