package dev.comporta.pool.list;

import org.jspecify.annotations.Nullable;

/** A doubly linked list of elements that bring their own {@link Link}: any of them is removed without a search. */
public final class Chain<T> {
    @Nullable
    Link<T> first;

    @Nullable
    Link<T> last;

    private int size;

    public int size() {
        return size;
    }

    public @Nullable T first() {
        return first == null ? null : first.element;
    }

    public @Nullable T last() {
        return last == null ? null : last.element;
    }

    /** Puts it last. */
    public void add(Link<T> link) {
        insert(link, last);
    }

    /** Puts it behind all whose key is not larger. Searches from the end, where it mostly belongs. */
    public void add(Link<T> link, long key) {
        link.key = key;
        Link<T> before = last;
        while (before != null && before.key > key) {
            before = before.before;
        }
        insert(link, before);
    }

    private void insert(Link<T> link, @Nullable Link<T> before) {
        Link<T> after = before == null ? first : before.after;
        link.before = before;
        link.after = after;
        if (before == null) {
            first = link;
        } else {
            before.after = link;
        }
        if (after == null) {
            last = link;
        } else {
            after.before = link;
        }
        size++;
    }

    public void remove(Link<T> link) {
        if (link.before == null) {
            first = link.after;
        } else {
            link.before.after = link.after;
        }
        if (link.after == null) {
            last = link.before;
        } else {
            link.after.before = link.before;
        }
        link.before = null;
        link.after = null;
        size--;
    }
}
