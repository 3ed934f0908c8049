package dev.comporta.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The books of one bucket as {@code lease.lua} keeps them, step by step under the same names: what the model checker runs
 * in place of Redis, and what the script is compared with, call by call.
 */
final class LeaseBook {
    /** An instance that has waited so long and has less than its share makes those with more give up. */
    static final long PATIENCE = 500;
    /** A demand is told again after this, and what an instance said of its idle connections is old after it. */
    static final long STALE = 1000;

    static final class Entry {
        long incarnation;
        long seq;
        long granted;
        long returned;
        long asked;
        long ticket;
        long since;
        long until;
        long epoch;
        int idle;
        long idleAt;
        int limit;
        long version;
        int fleet;
        int soft;
        int hard;
        int toldSoft;
        int toldHard;
        long toldAt;

        int held() {
            return (int) (granted - returned);
        }

        int waiting() {
            return (int) Math.max(0, asked - granted);
        }

        Entry copy() {
            Entry e = new Entry();
            e.incarnation = incarnation;
            e.seq = seq;
            e.granted = granted;
            e.returned = returned;
            e.asked = asked;
            e.ticket = ticket;
            e.since = since;
            e.until = until;
            e.epoch = epoch;
            e.idle = idle;
            e.idleAt = idleAt;
            e.limit = limit;
            e.version = version;
            e.fleet = fleet;
            e.soft = soft;
            e.hard = hard;
            e.toldSoft = toldSoft;
            e.toldHard = toldHard;
            e.toldAt = toldAt;
            return e;
        }
    }

    record Announcement(String to, long incarnation, long granted, int soft, int hard) {}

    final TreeMap<String, Entry> entries = new TreeMap<>();
    String run = "";
    long epoch;
    long opens;
    long ticket;
    int limit;
    /** Of the last change at runtime, and what it says. */
    long version;

    int max;
    /** Nobody is here, and nobody can be: the last one left, or is the one that calls. */
    boolean vacant;

    boolean pressing = true;

    private List<Announcement> announcements = new ArrayList<>();

    LeaseBook copy() {
        LeaseBook b = new LeaseBook();
        entries.forEach((name, e) -> b.entries.put(name, e.copy()));
        b.run = run;
        b.epoch = epoch;
        b.opens = opens;
        b.ticket = ticket;
        b.limit = limit;
        b.version = version;
        b.max = max;
        b.vacant = vacant;
        b.pressing = pressing;
        return b;
    }

    List<Announcement> takeAnnouncements() {
        List<Announcement> taken = announcements;
        announcements = new ArrayList<>();
        return taken;
    }

    /** One call, as the script handles it. */
    LeaseReply lease(String name, LeaseCall call, String server, boolean upForLong, long ttl, long now) {
        stepEpoch(call, server, upForLong, ttl, now);
        stepBury(name, call, now);
        LeaseReply.Status status = stepAdmit(name, call, server, ttl, now);
        Entry me = entries.get(name);
        if (status != LeaseReply.Status.OK) {
            stepLimit();
            return reply(status, me, now);
        }
        boolean bye = call.form() == LeaseCall.Form.BYE;
        Map<String, Long> before = new TreeMap<>();
        entries.forEach((n, e) -> before.put(n, e.granted));
        int atOnce = 0;
        if (me != null && bye) {
            entries.remove(name);
            vacant = entries.isEmpty();
        } else if (me != null && call.seq() > me.seq) {
            stepCount(me, call, ttl, now);
            atOnce = call.atOnce();
        }
        stepLimit();
        stepGrant(me, call, atOnce, now);
        stepPress(now);
        stepAnnounce(name, before, now);
        return reply(status, me, now);
    }

    /** Another server, or none before: its books may be old or gone, and nobody's word in them is good any more. */
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
        for (Entry e : entries.values()) {
            e.until = now + ttl;
        }
    }

    /** Who has not called for its time to live is dead, and its slots are free: this once, for its entry is gone. */
    private void stepBury(String caller, LeaseCall call, long now) {
        boolean othersToo = entries.entrySet().stream()
                .anyMatch(e -> e.getValue().until <= now && !e.getKey().equals(caller));
        boolean removed = entries.values().removeIf(e -> e.until <= now);
        if (removed && !othersToo && entries.isEmpty() && call.form() == LeaseCall.Form.JOIN) {
            vacant = true; // it was alone, died, and was started again
        }
    }

    private LeaseReply.Status stepAdmit(String name, LeaseCall call, String server, long ttl, long now) {
        Entry e = entries.get(name);
        if (e != null && e.incarnation > call.incarnation()) {
            return LeaseReply.Status.SUPERSEDED;
        }
        boolean known = e != null && e.incarnation == call.incarnation() && e.epoch == epoch;
        boolean arriving = call.form() == LeaseCall.Form.JOIN || call.form() == LeaseCall.Form.HELLO;
        if (known && (e.granted < call.seen() || e.seq < call.acked())) {
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
            // All died, or none could reach the store: then they live, and what they hold is not in the books.
            startEpoch(server, ttl, now);
        }
        vacant = false;
        Entry arrived = new Entry();
        arrived.incarnation = call.incarnation();
        arrived.granted = call.seen();
        arrived.epoch = epoch;
        arrived.version = call.limit().version() < 0 ? version : call.limit().version();
        arrived.ticket = e == null ? 0 : e.ticket;
        arrived.since = e == null ? 0 : e.since;
        entries.put(name, arrived);
        return LeaseReply.Status.OK;
    }

    private void stepCount(Entry me, LeaseCall call, long ttl, long now) {
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
        } else if (me.ticket == 0) {
            me.ticket = ++ticket;
            me.since = now;
        }
    }

    /** The last change is known from whoever knows it; of two with one version, made at once, the lower one counts. */
    private void countChange(Entry me, LimitWord said) {
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

    /** The lowest rules, where what was said before the last change counts for what was said with it. */
    private void stepLimit() {
        limit = entries.values().stream()
                .mapToInt(e -> e.version < version ? max : e.limit)
                .min()
                .orElse(limit);
    }

    /** Whether all who may live have said what they hold. */
    private boolean isOpen(long now) {
        if (now >= opens) {
            return true;
        }
        int expected = 1;
        for (Entry e : entries.values()) {
            if (e.epoch != epoch) {
                return false;
            }
            expected = Math.max(expected, e.fleet);
        }
        return entries.size() >= expected;
    }

    private int free() {
        int free = limit;
        for (Entry e : entries.values()) {
            free -= e.held();
        }
        return free;
    }

    /** The most that all can have at once, where nobody counts for more than it holds and waits for. */
    private int fairLevel() {
        int level = 0;
        int taken;
        do {
            level++;
            taken = 0;
            for (Entry e : entries.values()) {
                taken += Math.min(level, e.held() + e.waiting());
            }
        } while (taken <= limit && level <= limit);
        return level - 1;
    }

    /** Who has less than its share comes before who has it: what that one got it would soon have to give up again. */
    private @Nullable Entry longestWaiting(int level) {
        Entry longest = null;
        for (Entry e : entries.values()) {
            if (e.waiting() > 0 && e.epoch == epoch && (longest == null || comesBefore(e, longest, level))) {
                longest = e;
            }
        }
        return longest;
    }

    private static boolean comesBefore(Entry e, Entry other, int level) {
        boolean isShort = e.held() < level;
        boolean otherIsShort = other.held() < level;
        return isShort == otherIsShort ? e.ticket < other.ticket : isShort;
    }

    private void stepGrant(@Nullable Entry me, LeaseCall call, int atOnce, long now) {
        if (!isOpen(now)) {
            return;
        }
        opens = Math.min(opens, now);
        int free = free();
        int level = free > 0 ? fairLevel() : 0;
        Entry next = longestWaiting(level);
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

    /** Who is to give up slots for those who wait, or for a limit that is exceeded. */
    private void stepPress(long now) {
        int waiting = entries.values().stream().mapToInt(Entry::waiting).sum();
        int need = waiting - free();
        entries.values().forEach(e -> {
            e.soft = 0;
            e.hard = 0;
        });
        if (need <= 0 || now < opens || !pressing) {
            return;
        }
        need = pressIdle(need);
        if (need > 0) {
            need = askWhoWasSilent(need, now);
            pressShare(need, now);
        }
    }

    /** First those with idle connections, the most idle first. */
    private int pressIdle(int wanted) {
        int need = wanted;
        while (need > 0) {
            Entry most = null;
            for (Entry e : entries.values()) {
                boolean candidate = e.waiting() == 0 && e.soft == 0 && e.idle > 0 && e.held() > 0;
                if (candidate && (most == null || e.idle > most.idle)) {
                    most = e;
                }
            }
            if (most == null) {
                return need;
            }
            most.soft = Math.min(need, Math.min(most.idle, most.held()));
            need -= most.soft;
        }
        return need;
    }

    /** One whose word about its idle connections is old is asked; its answer leads to the next. */
    private int askWhoWasSilent(int need, long now) {
        Entry oldest = null;
        for (Entry e : entries.values()) {
            boolean candidate = e.waiting() == 0 && e.soft == 0 && e.held() > 0 && e.idleAt + STALE <= now;
            if (candidate && (oldest == null || e.idleAt < oldest.idleAt)) {
                oldest = e;
            }
        }
        if (oldest != null) {
            oldest.soft = Math.min(need, oldest.held());
        }
        return need;
    }

    /** Those with more than their share, when someone with less has waited long enough, or the limit is exceeded. */
    private void pressShare(int wanted, long now) {
        int level = 0;
        while (level < limit && takenAt(level + 1) <= limit) {
            level++;
        }
        int spare = limit - takenAt(level); // does not divide evenly: so many may keep one more
        boolean over = free() < 0;
        boolean someoneStarves = false;
        for (Entry e : entries.values()) {
            someoneStarves |= e.waiting() > 0 && e.held() < level && e.since + PATIENCE <= now;
        }
        if (!over && !someoneStarves) {
            return;
        }
        int need = wanted;
        for (Entry e : entries.values()) {
            int above = e.held() - e.soft - level;
            if (above > 0 && spare > 0) {
                above--;
                spare--;
            }
            e.hard = Math.max(0, Math.min(need, above));
            need -= e.hard;
        }
    }

    /** Slots taken if nobody had more than so many, nor more than it needs. */
    private int takenAt(int level) {
        return entries.values().stream()
                .mapToInt(e -> Math.min(level, e.held() - e.soft + e.waiting()))
                .sum();
    }

    private void stepAnnounce(String caller, Map<String, Long> before, long now) {
        entries.forEach((name, e) -> {
            if (name.equals(caller)) {
                return;
            }
            boolean granted = !before.containsKey(name) || before.get(name) != e.granted;
            boolean pressed =
                    e.soft + e.hard > 0 && (e.soft != e.toldSoft || e.hard != e.toldHard || e.toldAt + STALE <= now);
            if (granted || pressed) {
                e.toldSoft = e.soft;
                e.toldHard = e.hard;
                e.toldAt = now;
                announcements.add(new Announcement(name, e.incarnation, e.granted, e.soft, e.hard));
            }
        });
    }

    private LeaseReply reply(LeaseReply.Status status, @Nullable Entry me, long now) {
        List<LeaseReply.Member> fleet = new ArrayList<>();
        for (Map.Entry<String, Entry> named : entries.entrySet()) {
            Entry e = named.getValue();
            fleet.add(new LeaseReply.Member(named.getKey(), e.held(), e.waiting(), e.idle, e.limit, e.until - now));
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
                fleet);
    }
}
