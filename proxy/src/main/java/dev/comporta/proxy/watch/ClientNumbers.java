package dev.comporta.proxy.watch;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers the clients of an instance, from 1 on, in the order of their admission. Any thread. */
public final class ClientNumbers {
    private final AtomicLong last = new AtomicLong();

    public long next() {
        return last.incrementAndGet();
    }
}
