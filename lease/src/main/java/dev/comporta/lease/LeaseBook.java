package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The books of one bucket, and every decision about its slots. Stores that only compare and set run this; Redis runs {@code
 * lease.lua}, step by step under the same names, and is compared with this call by call. The model checker runs it in place
 * of any store. Step <em>clock</em> is {@link BookClock}, step <em>press</em> {@link BookPress}. Not for several threads.
 */
public final class LeaseBook {
    /** After this time a demand is repeated, and an instance's count of its idle connections is out of date. */
    static final long STALE = 1000;

    public record Announcement(String to, long incarnation, long granted, int soft, int hard) {}

    /** In the order of their names. */
    final List<BookEntry> entries = new ArrayList<>(4);

    String run = "";
    long epoch;
    long opens;
    /** Replaces {@link #opens} in a store without a clock: a reader counts the time to live from its first sight of the epoch. */
    boolean closed;

    /** The store's clock at the last call; not stored where the store has none. */
    long clock = Long.MIN_VALUE;

    long ticket;
    int limit;
    /** The version of the last change of the limit at runtime, and the limit that it set. */
    long version;

    int max;
    /** No instance has slots, not even one without an entry: the last one left, or is the one that calls. */
    boolean vacant;

    private final boolean pressing;
    private final List<Announcement> announcements = new ArrayList<>(2);

    public LeaseBook() {
        this(true);
    }

    /** @param pressing whether step press is carried out */
    LeaseBook(boolean pressing) {
        this.pressing = pressing;
    }

    LeaseBook copy() {
        LeaseBook b = new LeaseBook(pressing);
        for (BookEntry e : entries) {
            b.entries.add(e.copy());
        }
        b.run = run;
        b.epoch = epoch;
        b.opens = opens;
        b.closed = closed;
        b.clock = clock;
        b.ticket = ticket;
        b.limit = limit;
        b.version = version;
        b.max = max;
        b.vacant = vacant;
        return b;
    }

    /** Whether the fields that a store without a clock keeps are equal, apart from the numbers of idle connections. */
    boolean isStoredAs(LeaseBook o) {
        if (!run.equals(o.run)
                || epoch != o.epoch
                || closed != o.closed
                || ticket != o.ticket
                || limit != o.limit
                || version != o.version
                || max != o.max
                || vacant != o.vacant
                || entries.size() != o.entries.size()) {
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            if (!entries.get(i).isStoredAs(o.entries.get(i))) {
                return false;
            }
        }
        return true;
    }

    public List<Announcement> takeAnnouncements() {
        if (announcements.isEmpty()) {
            return List.of();
        }
        List<Announcement> taken = List.copyOf(announcements);
        announcements.clear();
        return taken;
    }

    @Nullable
    BookEntry of(String name) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).name.equals(name)) {
                return entries.get(i);
            }
        }
        return null;
    }

    /** Whether some instance must give up a slot. */
    boolean isPressed() {
        for (BookEntry e : entries) {
            if (e.soft + e.hard > 0) {
                return true;
            }
        }
        return false;
    }

    void put(BookEntry e) {
        int at = 0;
        while (at < entries.size() && entries.get(at).name.compareTo(e.name) < 0) {
            at++;
        }
        if (at < entries.size() && entries.get(at).name.equals(e.name)) {
            entries.set(at, e);
        } else {
            entries.add(at, e);
        }
    }

    /** Carries out one call, as the script does. */
    public LeaseReply lease(String name, LeaseCall call, String server, boolean upForLong, long ttl, long now) {
        for (BookEntry e : entries) {
            e.soft = 0; // demands are decided again with every call
            e.hard = 0;
        }
        BookClock.step(this, now);
        stepEpoch(call, server, upForLong, ttl, now);
        stepBury(name, call, server, ttl, now);
        LeaseReply.Status status = stepAdmit(name, call, server, ttl, now);
        BookEntry me = of(name);
        if (status != LeaseReply.Status.OK) {
            stepLimit();
            return reply(status, me, now);
        }
        for (BookEntry e : entries) {
            e.grantedBefore = e.granted;
        }
        int atOnce = 0;
        if (me != null && call.form() == LeaseCall.Form.BYE) {
            entries.remove(me);
            vacant = entries.isEmpty();
        } else if (me != null && call.seq() > me.seq) {
            stepCount(me, call, ttl, now);
            atOnce = call.atOnce();
        }
        stepLimit();
        stepGrant(me, call, atOnce, now);
        if (pressing) {
            BookPress.step(this, now);
        }
        stepAnnounce(name, now);
        return reply(status, me, now);
    }

    /** Another server, or none before: its books may be old or lost, so every instance must report again what it holds. */
    private void stepEpoch(LeaseCall call, String server, boolean upForLong, long ttl, long now) {
        if (run.equals(server)) {
            return;
        }
        boolean firstEver = run.isEmpty() && upForLong && call.form() == LeaseCall.Form.JOIN;
        startEpoch(server, ttl, now);
        if (firstEver) {
            opens = now;
            vacant = true;
        }
    }

    private void startEpoch(String server, long ttl, long now) {
        run = server;
        epoch++;
        vacant = false;
        opens = now + ttl;
        for (BookEntry e : entries) {
            e.until = now + ttl;
        }
    }

    /**
     * An instance that has not called for its time to live is dead: its entry is removed, and so its slots are free. But if
     * no instance has called for longer than live ones are ever silent, the store was unreachable for all of them: one that
     * has not called yet may be alive and use its fair share, so a new epoch begins.
     */
    private void stepBury(String caller, LeaseCall call, String server, long ttl, long now) {
        boolean removed = false;
        boolean othersToo = false;
        long heard = 0;
        for (int i = entries.size() - 1; i >= 0; i--) {
            heard = Math.max(heard, entries.get(i).until - ttl);
            if (entries.get(i).until <= now) {
                removed = true;
                othersToo |= !entries.remove(i).name.equals(caller);
            }
        }
        if (removed && !othersToo && entries.isEmpty() && call.form() == LeaseCall.Form.JOIN) {
            vacant = true; // it was alone, died, and was started again
        } else if (removed && !entries.isEmpty() && 2 * (now - heard) > ttl) {
            startEpoch(server, ttl, now);
        }
    }

    private LeaseReply.Status stepAdmit(String name, LeaseCall call, String server, long ttl, long now) {
        BookEntry e = of(name);
        if (e != null && e.incarnation > call.incarnation()) {
            return LeaseReply.Status.SUPERSEDED;
        }
        boolean known = e != null && e.incarnation == call.incarnation() && e.epoch == epoch;
        boolean arriving = call.form() == LeaseCall.Form.JOIN || call.form() == LeaseCall.Form.HELLO;
        if (known && e != null && (e.granted < call.seen() || e.seq < call.acked())) {
            startEpoch(server, ttl, now); // writes were lost
            return LeaseReply.Status.AGAIN;
        }
        if (known || call.form() == LeaseCall.Form.BYE) {
            return LeaseReply.Status.OK;
        }
        if (!arriving || (e != null && e.incarnation == call.incarnation())) {
            return LeaseReply.Status.AGAIN;
        }
        if (entries.isEmpty() && !vacant && now >= opens) {
            // All died, or none could reach the store: in that case they hold slots that are not in the books.
            startEpoch(server, ttl, now);
        }
        vacant = false;
        BookEntry arrived = new BookEntry(name);
        arrived.incarnation = call.incarnation();
        arrived.granted = call.seen();
        arrived.epoch = epoch;
        arrived.version = call.limit().version() < 0 ? version : call.limit().version();
        arrived.ticket = e == null ? 0 : e.ticket;
        arrived.since = e == null ? 0 : e.since;
        put(arrived);
        return LeaseReply.Status.OK;
    }

    private void stepCount(BookEntry me, LeaseCall call, long ttl, long now) {
        boolean gaveBack = call.returned() > me.returned;
        me.seq = call.seq();
        me.returned = call.returned();
        me.asked = call.asked();
        me.idle = call.idle();
        me.idleAt = now;
        me.fleet = call.fleet();
        me.until = now + ttl;
        countChange(me, call.limit());
        if (me.waiting() == 0) {
            me.ticket = 0;
        } else if (me.ticket == 0 || (gaveBack && me.held() == 0)) { // it has had its turn
            me.ticket = ++ticket;
            me.since = now;
        }
    }

    /** The last change is taken from any instance that knows it; of two with one version, made at once, the lower one counts. */
    private void countChange(BookEntry me, LimitWord said) {
        LimitWord.Change change = said.change();
        if (change.version() > version) {
            version = change.version();
            max = change.max();
        } else if (change.version() == version) {
            max = Math.min(max, change.max());
        }
        me.limit = said.max();
        if (said.version() >= 0) {
            me.version = said.version();
        }
    }

    /** The lowest limit is in force, where a limit from before the last change counts as the changed one. */
    private void stepLimit() {
        int lowest = Integer.MAX_VALUE;
        for (BookEntry e : entries) {
            lowest = Math.min(lowest, e.version < version ? max : e.limit);
        }
        limit = entries.isEmpty() ? limit : lowest;
    }

    /** Whether all instances that may be alive have reported what they hold. */
    private boolean isOpen(long now) {
        if (now >= opens) {
            return true;
        }
        int expected = 1;
        for (BookEntry e : entries) {
            if (e.epoch != epoch) {
                return false;
            }
            expected = Math.max(expected, e.fleet);
        }
        return entries.size() >= expected;
    }

    int free() {
        int free = limit;
        for (BookEntry e : entries) {
            free -= e.held();
        }
        return free;
    }

    /** The most slots that every instance can have at once, where none counts for more than it holds and waits for. */
    private int fairLevel() {
        int level = 0;
        int taken;
        do {
            level++;
            taken = 0;
            for (BookEntry e : entries) {
                taken += Math.min(level, e.held() + e.waiting());
            }
        } while (taken <= limit && level <= limit);
        return level - 1;
    }

    /** Instances below their share come before those that have it: these would soon have to give up again what they got. */
    private @Nullable BookEntry longestWaiting(int level) {
        BookEntry longest = null;
        for (BookEntry e : entries) {
            if (e.waiting() > 0 && e.epoch == epoch && (longest == null || comesBefore(e, longest, level))) {
                longest = e;
            }
        }
        return longest;
    }

    private static boolean comesBefore(BookEntry e, BookEntry other, int level) {
        boolean isShort = e.held() < level;
        boolean otherIsShort = other.held() < level;
        return isShort == otherIsShort ? e.ticket < other.ticket : isShort;
    }

    private void stepGrant(@Nullable BookEntry me, LeaseCall call, int atOnce, long now) {
        if (!isOpen(now)) {
            return;
        }
        opens = Math.min(opens, now);
        int free = free();
        int level = free > 0 ? Math.max(1, fairLevel()) : 0; // with too few for all, those with none come first
        BookEntry next = longestWaiting(level);
        while (free > 0 && next != null) {
            next.granted++;
            free--;
            next.ticket = next.waiting() > 0 ? ++ticket : 0;
            next.since = now;
            next = longestWaiting(level);
        }
        if (me != null && atOnce > 0 && next == null) {
            me.granted += Math.max(0, Math.min(free, call.asked() + atOnce - me.granted));
        }
    }

    private void stepAnnounce(String caller, long now) {
        for (BookEntry e : entries) {
            if (e.name.equals(caller)) {
                continue;
            }
            boolean granted = e.grantedBefore != e.granted;
            boolean pressed =
                    e.soft + e.hard > 0 && (e.soft != e.toldSoft || e.hard != e.toldHard || e.toldAt + STALE <= now);
            if (granted || pressed) {
                e.toldSoft = e.soft;
                e.toldHard = e.hard;
                e.toldAt = now;
                announcements.add(new Announcement(e.name, e.incarnation, e.granted, e.soft, e.hard));
            }
        }
    }

    private LeaseReply reply(LeaseReply.Status status, @Nullable BookEntry me, long now) {
        List<LeaseReply.Member> fleet = new ArrayList<>(entries.size());
        for (BookEntry e : entries) {
            fleet.add(new LeaseReply.Member(e.name, e.held(), e.waiting(), e.idle, e.limit, e.until - now));
        }
        return new LeaseReply(
                status,
                me == null ? 0 : me.incarnation,
                me == null ? 0 : me.granted,
                me == null ? 0 : me.soft,
                me == null ? 0 : me.hard,
                limit,
                new LimitWord.Change(version, max),
                me == null ? 0 : me.version,
                Math.max(0, opens - now),
                fleet,
                0);
    }
}
