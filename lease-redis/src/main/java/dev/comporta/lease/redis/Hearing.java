package dev.comporta.lease.redis;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether a server is still heard. One that is slow answers some calls too late and others in time; on a connection that the
 * network has forgotten nothing comes any more. Any thread.
 */
final class Hearing {
    private final LongSupplier nanos;
    /** The last answer, or the last time it was found deaf. */
    private final AtomicLong last;

    Hearing() {
        this(System::nanoTime);
    }

    Hearing(LongSupplier nanos) {
        this.nanos = nanos;
        last = new AtomicLong(nanos.getAsLong());
    }

    void heard() {
        last.set(nanos.getAsLong());
    }

    /**
     * A call that was sent then has not been answered in time.
     *
     * @return whether nothing else was heard since it was sent either; of calls that were sent together one learns of it
     */
    boolean isDeafSince(long sentAt) {
        long before = last.get();
        return sentAt - before > 0 && last.compareAndSet(before, nanos.getAsLong());
    }
}
