package dev.comporta.pool.list;

import org.jspecify.annotations.Nullable;

/**
 * A chain in the order of its keys, of which the first elements are covered, up to a number that changes. A mark stands
 * at the first uncovered element and moves with that number, so that this element is found without a search.
 */
public final class CoveredChain<T> {
    private final Chain<T> chain = new Chain<>();
    private @Nullable Link<T> firstUncovered;
    private int covered;

    public int size() {
        return chain.size();
    }

    public int uncovered() {
        return chain.size() - covered;
    }

    public @Nullable T first() {
        return chain.first();
    }

    public @Nullable T last() {
        return chain.last();
    }

    public @Nullable T firstUncovered() {
        return firstUncovered == null ? null : firstUncovered.element;
    }

    /** Puts it last. Its key must not be smaller than that of any other. */
    public void add(Link<T> link, long key) {
        chain.add(link, key);
        if (firstUncovered == null) {
            firstUncovered = link;
        }
    }

    public void remove(Link<T> link) {
        if (link == firstUncovered) {
            firstUncovered = link.after;
        } else if (firstUncovered == null || link.key < firstUncovered.key) {
            covered--;
        }
        chain.remove(link);
    }

    /** Covers this many elements, or all if there are fewer. */
    public void cover(int wanted) {
        while (covered < wanted && firstUncovered != null) {
            firstUncovered = firstUncovered.after;
            covered++;
        }
        while (covered > wanted) {
            firstUncovered = firstUncovered == null ? chain.last : firstUncovered.before;
            covered--;
        }
    }
}
