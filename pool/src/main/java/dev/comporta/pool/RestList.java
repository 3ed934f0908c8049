package dev.comporta.pool;

import org.jspecify.annotations.Nullable;

/** Unclean connections that nobody has, by the time they were handed back: so the first is the first to be reset. */
final class RestList {
    private @Nullable ServerConnection first;
    private @Nullable ServerConnection last;

    @Nullable
    ServerConnection first() {
        return first;
    }

    /** Puts it last, unless it comes from a check and has rested all along. */
    void add(ServerConnection c) {
        ServerConnection before = last;
        while (before != null && before.idleSince > c.idleSince) {
            before = before.restBefore;
        }
        ServerConnection after = before == null ? first : before.restAfter;
        c.restBefore = before;
        c.restAfter = after;
        if (before == null) {
            first = c;
        } else {
            before.restAfter = c;
        }
        if (after == null) {
            last = c;
        } else {
            after.restBefore = c;
        }
    }

    void remove(ServerConnection c) {
        if (c.restBefore == null) {
            first = c.restAfter;
        } else {
            c.restBefore.restAfter = c.restAfter;
        }
        if (c.restAfter == null) {
            last = c.restBefore;
        } else {
            c.restAfter.restBefore = c.restBefore;
        }
        c.restBefore = null;
        c.restAfter = null;
    }
}
