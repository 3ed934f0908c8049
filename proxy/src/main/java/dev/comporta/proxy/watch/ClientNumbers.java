package dev.comporta.proxy.watch;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers the clients of an instance, from 1 on, in the order in which they are let in. Any thread. */
public final class ClientNumbers {
    private final AtomicLong last = new AtomicLong();

    public long next() {
        return last.incrementAndGet();
    }
}
