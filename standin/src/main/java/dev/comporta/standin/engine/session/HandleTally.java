package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.HandleCounts;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts prepared handles in all sessions. Thread-safe. */
final class HandleTally {
    /** Enough to diagnose an error; a client that repeats it must not fill the memory. */
    private static final int MOST_KEPT = 20;

    private final LongAdder prepares = new LongAdder();
    private final LongAdder executions = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final Queue<String> firstUnknown = new ConcurrentLinkedQueue<>();

    void prepared() {
        prepares.increment();
    }

    void executed() {
        executions.increment();
    }

    void unknown(int spid, int handle) {
        unknown.increment();
        if (firstUnknown.size() < MOST_KEPT) {
            firstUnknown.add("session " + spid + ": handle " + handle);
        }
    }

    HandleCounts counts() {
        return new HandleCounts(prepares.sum(), executions.sum(), unknown.sum(), List.copyOf(firstUnknown));
    }
}
