package dev.comporta.pool;

import org.jspecify.annotations.Nullable;

/**
 * Connections of a bucket that are in the same stage, in the order they came to it: so the first is the first whose time
 * is over. A connection is in one such list at most.
 */
final class ConnectionList {
    private @Nullable ServerConnection first;
    private @Nullable ServerConnection last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    ServerConnection first() {
        return first;
    }

    @Nullable
    ServerConnection last() {
        return last;
    }

    void add(ServerConnection c) {
        c.stageBefore = last;
        c.stageAfter = null;
        if (last == null) {
            first = c;
        } else {
            last.stageAfter = c;
        }
        last = c;
        size++;
    }

    /** Puts it where its last use belongs: last, unless it comes from a check and was idle all along. */
    void addByIdleTime(ServerConnection c) {
        ServerConnection before = last;
        while (before != null && before.idleSince > c.idleSince) {
            before = before.stageBefore;
        }
        if (before == last) {
            add(c);
            return;
        }
        ServerConnection after = before == null ? first : before.stageAfter;
        c.stageBefore = before;
        c.stageAfter = after;
        if (before == null) {
            first = c;
        } else {
            before.stageAfter = c;
        }
        if (after != null) {
            after.stageBefore = c;
        }
        size++;
    }

    void remove(ServerConnection c) {
        if (c.stageBefore == null) {
            first = c.stageAfter;
        } else {
            c.stageBefore.stageAfter = c.stageAfter;
        }
        if (c.stageAfter == null) {
            last = c.stageBefore;
        } else {
            c.stageAfter.stageBefore = c.stageBefore;
        }
        c.stageBefore = null;
        c.stageAfter = null;
        size--;
    }
}
