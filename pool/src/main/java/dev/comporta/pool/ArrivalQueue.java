package dev.comporta.pool;

import org.jspecify.annotations.Nullable;

/** All waiters of a bucket in the order they came: who times out next is the first. */
final class ArrivalQueue {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Waiter first() {
        return first;
    }

    @Nullable
    Waiter last() {
        return last;
    }

    void add(Waiter w) {
        w.arrivalBefore = last;
        w.arrivalAfter = null;
        if (last == null) {
            first = w;
        } else {
            last.arrivalAfter = w;
        }
        last = w;
        size++;
    }

    void remove(Waiter w) {
        if (w.arrivalBefore == null) {
            first = w.arrivalAfter;
        } else {
            w.arrivalBefore.arrivalAfter = w.arrivalAfter;
        }
        if (w.arrivalAfter == null) {
            last = w.arrivalBefore;
        } else {
            w.arrivalAfter.arrivalBefore = w.arrivalBefore;
        }
        w.arrivalBefore = null;
        w.arrivalAfter = null;
        size--;
    }
}
