package dev.comporta.lease;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether a server is still heard. One that is slow answers some calls too late and others in time; on a connection that the
 * network has forgotten nothing comes any more. Any thread.
 */
final class Hearing {
    /** The last answer, or the last time it was found deaf. */
    private final AtomicLong last = new AtomicLong(System.nanoTime());

    void heard() {
        last.set(System.nanoTime());
    }

    /**
     * A call that was sent then has not been answered in time.
     *
     * @return whether nothing else was heard since it was sent either; of calls that were sent together one learns of it
     */
    boolean isDeafSince(long sentAt) {
        long before = last.get();
        return sentAt - before > 0 && last.compareAndSet(before, System.nanoTime());
    }
}
