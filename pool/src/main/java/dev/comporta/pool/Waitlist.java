package dev.comporta.pool;

import org.jspecify.annotations.Nullable;

/**
 * The waiters of one pool, first come first served. The first so many are covered: a connection is on its way for each.
 * A mark stands at the first that is not, and moves one step when a connection sets out or gives up, so that the
 * longest-waiting uncovered one is known without a search.
 */
final class Waitlist {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private @Nullable Waiter firstUncovered;
    private int size;
    private int covered;

    int size() {
        return size;
    }

    int uncovered() {
        return size - covered;
    }

    @Nullable
    Waiter first() {
        return first;
    }

    @Nullable
    Waiter last() {
        return last;
    }

    @Nullable
    Waiter firstUncovered() {
        return firstUncovered;
    }

    void add(Waiter w) {
        w.poolBefore = last;
        w.poolAfter = null;
        if (last == null) {
            first = w;
        } else {
            last.poolAfter = w;
        }
        last = w;
        size++;
        if (firstUncovered == null) {
            firstUncovered = w;
        }
    }

    void remove(Waiter w) {
        if (w == firstUncovered) {
            firstUncovered = w.poolAfter;
        } else if (firstUncovered == null || w.order < firstUncovered.order) {
            covered--;
        }
        if (w.poolBefore == null) {
            first = w.poolAfter;
        } else {
            w.poolBefore.poolAfter = w.poolAfter;
        }
        if (w.poolAfter == null) {
            last = w.poolBefore;
        } else {
            w.poolAfter.poolBefore = w.poolBefore;
        }
        w.poolBefore = null;
        w.poolAfter = null;
        size--;
    }

    /** Moves the mark to where it belongs when so many connections are on their way. */
    void cover(int coming) {
        while (covered < coming && firstUncovered != null) {
            firstUncovered = firstUncovered.poolAfter;
            covered++;
        }
        while (covered > coming) {
            firstUncovered = firstUncovered == null ? last : firstUncovered.poolBefore;
            covered--;
        }
    }
}
