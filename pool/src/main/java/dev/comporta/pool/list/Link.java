package dev.comporta.pool.list;

import org.jspecify.annotations.Nullable;

/** An element's place in a {@link Chain}. It is made with its element, so that joining a chain allocates nothing. */
public final class Link<T> {
    final T element;
    /** What its chain orders it by, if the chain is ordered. */
    long key;

    @Nullable
    Link<T> before;

    @Nullable
    Link<T> after;

    public Link(T element) {
        this.element = element;
    }

    /** The element before this one in the chain; null for none. */
    public @Nullable T before() {
        return before == null ? null : before.element;
    }

    /** The element after this one in the chain; null for none. */
    public @Nullable T after() {
        return after == null ? null : after.element;
    }
}
