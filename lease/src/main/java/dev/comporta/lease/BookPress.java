package dev.comporta.lease;

import org.jspecify.annotations.Nullable;

/** Step <em>press</em> of the {@link LeaseBook}: which instances must give up slots, for others or for an exceeded limit. */
final class BookPress {
    /** An instance below its share that has waited for this long makes those above theirs give up slots. */
    static final long PATIENCE = 500;

    /** Where there are fewer slots than instances in need, one that has none gets its turn after waiting for this long. */
    static final long TURN = 2000;

    private BookPress() {}

    static void step(LeaseBook b, long now) {
        int need = -b.free();
        for (BookEntry e : b.entries) {
            need += e.waiting();
        }
        if (need <= 0 || now < b.opens) {
            return;
        }
        need = pressIdle(b, need);
        if (need > 0) {
            pressShare(b, need, now);
            askLongestSilent(b, need, now); // afterwards: a question frees no slot
        }
    }

    /** Demands idle connections first, from the instance with the most. */
    private static int pressIdle(LeaseBook b, int wanted) {
        int need = wanted;
        BookEntry most = mostIdle(b);
        while (need > 0 && most != null) {
            most.soft = Math.min(need, Math.min(most.idle, most.held()));
            need -= most.soft;
            most = mostIdle(b);
        }
        return need;
    }

    private static @Nullable BookEntry mostIdle(LeaseBook b) {
        BookEntry most = null;
        for (BookEntry e : b.entries) {
            boolean candidate = e.waiting() == 0 && e.soft == 0 && e.idle > 0 && e.held() > 0;
            if (candidate && (most == null || e.idle > most.idle)) {
                most = e;
            }
        }
        return most;
    }

    /** Asks the instance whose count of idle connections is the oldest, if out of date; its answer leads to the next question. */
    private static void askLongestSilent(LeaseBook b, int need, long now) {
        BookEntry oldest = null;
        for (BookEntry e : b.entries) {
            boolean isAsked = e.soft + e.hard > 0;
            boolean candidate = e.waiting() == 0 && !isAsked && e.held() > 0 && e.idleAt + LeaseBook.STALE <= now;
            if (candidate && (oldest == null || e.idleAt < oldest.idleAt)) {
                oldest = e;
            }
        }
        if (oldest != null) {
            oldest.soft = Math.min(need, oldest.held());
        }
    }

    /** Demands slots from instances above their share, if one below has waited long enough, or if the limit is exceeded. */
    private static void pressShare(LeaseBook b, int wanted, long now) {
        int level = 0;
        while (level < b.limit && takenAt(b, level + 1) <= b.limit) {
            level++;
        }
        int spare = b.limit - takenAt(b, level); // the remainder of the division: this many may keep one more
        boolean due = b.free() < 0;
        for (BookEntry e : b.entries) {
            due |= e.waiting() > 0 && e.held() < level && e.since + PATIENCE <= now;
        }
        if (!due) {
            if (level == 0) {
                pressTurn(b, now);
            }
            return;
        }
        int need = wanted;
        for (BookEntry e : b.entries) {
            int above = e.held() - e.soft - level;
            if (above > 0 && spare > 0) {
                above--;
                spare--;
            }
            e.hard = Math.max(0, Math.min(need, above));
            need -= e.hard;
        }
    }

    /** There are fewer slots than instances in need: the instance that got one longest ago makes room for one that has none. */
    private static void pressTurn(LeaseBook b, long now) {
        boolean due = false;
        BookEntry longest = null;
        for (BookEntry e : b.entries) {
            due |= e.waiting() > 0 && e.held() == 0 && e.since + TURN <= now;
            if (e.held() > e.soft && (longest == null || e.since < longest.since)) {
                longest = e;
            }
        }
        if (due && longest != null) {
            longest.hard = 1;
        }
    }

    /** The slots taken if each instance had at most this many, and no more than it needs. */
    private static int takenAt(LeaseBook b, int level) {
        int sum = 0;
        for (BookEntry e : b.entries) {
            sum += Math.min(level, e.held() - e.soft + e.waiting());
        }
        return sum;
    }
}
