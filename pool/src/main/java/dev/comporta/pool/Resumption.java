package dev.comporta.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Serves the requests that have waited while the bucket was paused: the oldest first, whatever its pool. A ready connection
 * of one pool may be closed for an older waiter of another, as if the requests had come one by one.
 */
record Resumption(Ledger ledger, Dispatcher dispatcher, Coverage coverage) {
    void serve() {
        for (Waiter w : inTurn()) {
            Pool pool = w.pool;
            boolean waits = w.status == Waiter.Status.WAITING;
            if (pool != null && waits && !dispatcher.serveNext(pool)) {
                coverage.cover(w, pool);
            }
        }
    }

    private List<Waiter> inTurn() {
        List<Waiter> waiters = new ArrayList<>(ledger.arrivals.size());
        for (Waiter w = ledger.arrivals.first(); w != null; w = w.arrival.after()) {
            waiters.add(w);
        }
        waiters.sort(Comparator.comparingLong(w -> w.order)); // by arrival, unless logins take turns
        return waiters;
    }
}
