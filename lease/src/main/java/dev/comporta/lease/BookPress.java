package dev.comporta.lease;

import org.jspecify.annotations.Nullable;

/**
 * Step <em>press</em> of the {@link LeaseBook}: which instances are to give up slots for those that wait, or because the
 * limit is exceeded.
 */
final class BookPress {
    /** An instance that has waited so long and has less than its share makes those with more give up. */
    static final long PATIENCE = 500;

    /** One that has nothing, where there are fewer slots than instances in need, has waited its turn after this. */
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
            askWhoWasSilent(b, need, now); // afterwards: a question is no slot that comes free
        }
    }

    /** First those with idle connections, the most idle first. */
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

    /** One whose word about its idle connections is old is asked; its answer leads to the next. */
    private static void askWhoWasSilent(LeaseBook b, int need, long now) {
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

    /** Those with more than their share, when someone with less has waited long enough, or the limit is exceeded. */
    private static void pressShare(LeaseBook b, int wanted, long now) {
        int level = 0;
        while (level < b.limit && takenAt(b, level + 1) <= b.limit) {
            level++;
        }
        int spare = b.limit - takenAt(b, level); // does not divide evenly: so many may keep one more
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

    /** Slots taken if nobody had more than so many, nor more than it needs. */
    private static int takenAt(LeaseBook b, int level) {
        int sum = 0;
        for (BookEntry e : b.entries) {
            sum += Math.min(level, e.held() - e.soft + e.waiting());
        }
        return sum;
    }
}
