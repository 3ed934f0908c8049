package dev.comporta.standin.wire;

import dev.comporta.standin.control.Counters;
import dev.comporta.standin.engine.HandleCounts;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The stand-in's counters, from all of its threads. */
final class Tally {
    final LongAdder connections = new LongAdder();
    final LongAdder logins = new LongAdder();
    final LongAdder failedLogins = new LongAdder();
    final LongAdder resets = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder roundTrips = new LongAdder();
    final LongAdder attentions = new LongAdder();
    final LongAdder delayed = new LongAdder();
    final LongAdder rollbacksAtDisconnect = new LongAdder();
    final LongAdder bulkRows = new LongAdder();
    final LongAdder protocolErrors = new LongAdder();
    private final AtomicInteger sessionsOpen = new AtomicInteger();
    private final AtomicInteger sessionsHeld = new AtomicInteger();
    private final AtomicInteger mostSessions = new AtomicInteger();

    void sessionOpened() {
        logins.increment();
        sessionsOpen.incrementAndGet();
        int held = sessionsHeld.incrementAndGet();
        mostSessions.accumulateAndGet(held, Math::max);
    }

    /** The session's client may know from now on that it has ended; its work may not be rolled back yet. */
    void sessionLetGo() {
        sessionsHeld.decrementAndGet();
    }

    void sessionClosed() {
        sessionsOpen.decrementAndGet();
    }

    void forgetMostSessions() {
        mostSessions.set(0);
        mostSessions.accumulateAndGet(sessionsHeld.get(), Math::max);
    }

    /** @param handles counted by the engine */
    Counters snapshot(HandleCounts handles) {
        return new Counters(
                sessionsOpen.get(),
                mostSessions.get(),
                connections.sum(),
                logins.sum(),
                failedLogins.sum(),
                resets.sum(),
                requests.sum(),
                roundTrips.sum(),
                attentions.sum(),
                delayed.sum(),
                rollbacksAtDisconnect.sum(),
                bulkRows.sum(),
                handles.prepares(),
                handles.executions(),
                handles.unknown(),
                protocolErrors.sum());
    }
}
