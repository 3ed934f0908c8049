package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One instance's part in a bucket's book, in a store that has no clock and decides nothing: it can only be read, and written if
 * no other instance has written since. This class keeps what the store can't: since when each instance has been silent, by this
 * instance's own monotonic clock, and when this instance last proved that it lives. Does no I/O. Any thread.
 *
 * <p>Two kinds of writes prove that an instance lives: its call in the book, and the beat that it keeps outside of all books.
 * A beat does not conflict with a burial that was decided before it and is written after it. So a beat renews a lease only if
 * its answer came before the lease had ended: an instance that buries another has seen no proof for a time to live, which
 * is longer than a lease, and would have seen this one. A lease that has ended is renewed by a call in the book, which such
 * a burial conflicts with.
 */
public final class BookKeeper {
    /**
     * A call's outcome, if the book is still as it was read.
     *
     * @param writes how often the book was written, this ruling included
     * @param isChanged the book must be written; otherwise it is as it was read, and the reply is valid without a write
     * @param isDoubtful some instance may be dead, but beats must be read again before that is decided
     * @param wasThere the book has this call already: it was written before, and only the answer was lost
     */
    public record Ruling(
            LeaseReply reply,
            LeaseBook book,
            long writes,
            boolean isChanged,
            boolean isDoubtful,
            boolean wasThere,
            List<LeaseBook.Announcement> announcements) {}

    private static final long NEVER = Long.MIN_VALUE;

    /** The name of no table. It marks a book that is an older copy of what was there before. */
    private static final String OLDER = "older";

    /** Stands for the table in a book that was begun by an instance without permission to identify the table. */
    private static final String UNKNOWN = "unknown";

    /** An entry as last seen, and when that changed. */
    private static final class Sight {
        String process = "";
        long incarnation;
        long seq;
        long calledAt;
        long granted;
        long ticket;
        long since;
        int toldSoft;
        int toldHard;
        long toldAt;
    }

    private final String instance;
    private final String process;
    private final long ttlMillis;
    private final long validFor;
    private final BeatWatch beats;
    private final Map<String, Sight> sights = new HashMap<>();

    private long epoch = -1;
    private long epochSeenAt;

    private long writesSeen;

    /** The last call that the book is known to have. */
    private long writtenIncarnation;

    private long writtenSeq;

    /** When the last proof that this incarnation lives was sent; in units of the caller's clock. */
    private long provenAt = NEVER;

    /** @param process identifies this process among all that ever had its instance's name */
    public BookKeeper(String process, LeaseSettings settings, BeatWatch beats) {
        this.instance = settings.instance();
        this.process = process;
        this.beats = beats;
        ttlMillis = settings.timeToLive().toMillis();
        validFor = settings.terms().validFor();
    }

    /**
     * Decides a call by the book as it was read.
     *
     * @param writes how often the book was written, up to this read
     * @param isToProve write it even if nothing in it is new, as a proof that this instance lives
     * @param server which table it was read from
     * @param upForLong whether that table is older than a time to live
     * @param now this instance's monotonic clock, in milliseconds
     */
    public synchronized Ruling rule(
            LeaseBook read,
            long writes,
            LeaseCall call,
            boolean isToProve,
            String server,
            boolean upForLong,
            long now) {
        LeaseBook book = read.copy();
        if (writes < writesSeen && !book.run.isEmpty()) {
            book.run = OLDER; // an old copy was put in its place
        }
        boolean isDoubtful = putTimes(book, now);
        LeaseReply reply =
                book.lease(instance, withKnownAcked(call), serverOf(read, server), upForLong, ttlMillis, now);
        book.closed = book.opens > now;
        BookEntry me = book.of(instance);
        if (me != null && me.incarnation == call.incarnation()) {
            me.process = process;
        }
        boolean proves = isToProve && reply.status() == LeaseReply.Status.OK;
        boolean isChanged = proves || !book.isStoredAs(read) || isIdleNews(read, book);
        BookEntry before = read.of(instance);
        boolean wasThere = before != null && before.incarnation == call.incarnation() && before.seq == call.seq();
        return new Ruling(
                reply,
                book,
                isChanged ? writes + 1 : writes,
                isChanged,
                isDoubtful,
                wasThere,
                book.takeAnnouncements());
    }

    /**
     * An instance that can't identify the table takes the table's name from the book. Otherwise it and an instance that can
     * would each take the other's book for a lost one.
     */
    private static String serverOf(LeaseBook read, String server) {
        if (!server.isEmpty()) {
            return server;
        }
        return read.run.isEmpty() ? UNKNOWN : read.run;
    }

    /** A call that was answered without a write is not in the book: its absence does not mean that a write was lost. */
    private LeaseCall withKnownAcked(LeaseCall c) {
        long acked = c.incarnation() == writtenIncarnation ? Math.min(c.acked(), writtenSeq) : 0;
        return new LeaseCall(
                c.form(),
                c.incarnation(),
                c.seq(),
                acked,
                c.seen(),
                c.returned(),
                c.asked(),
                c.atOnce(),
                c.idle(),
                c.limit(),
                c.fleet(),
                c.sentAt());
    }

    /** The number of idle connections changes with every request: it is written only while other instances wait. */
    private boolean isIdleNews(LeaseBook read, LeaseBook book) {
        BookEntry before = read.of(instance);
        BookEntry me = book.of(instance);
        if (before == null || me == null || before.idle == me.idle) {
            return false;
        }
        for (BookEntry e : book.entries) {
            if (e.waiting() > 0 && !e.name.equals(instance)) {
                return true;
            }
        }
        return false;
    }

    /** @return whether an instance seems dead, and the last read of its beats is older than that */
    private boolean putTimes(LeaseBook book, long now) {
        look(book, now);
        book.opens = book.closed ? epochSeenAt + ttlMillis : Math.min(now, 0);
        boolean isDoubtful = false;
        for (BookEntry e : book.entries) {
            Sight s = sight(e);
            long heardAt = Math.max(s.calledAt, beats.heardAt(e.name, e.process));
            e.until = heardAt + ttlMillis;
            if (e.until <= now && e.until > beats.readAt()) {
                e.until = now + 1;
                isDoubtful = true;
            }
            e.since = s.since;
            e.idleAt = s.calledAt;
            e.toldSoft = s.toldSoft;
            e.toldHard = s.toldHard;
            e.toldAt = s.toldAt;
        }
        return isDoubtful;
    }

    private Sight sight(BookEntry e) {
        return sights.computeIfAbsent(e.name, _ -> new Sight());
    }

    private void look(LeaseBook book, long now) {
        boolean isNewEpoch = book.epoch != epoch;
        if (isNewEpoch) {
            epoch = book.epoch;
            epochSeenAt = now;
        }
        sights.keySet().removeIf(name -> book.of(name) == null);
        for (BookEntry e : book.entries) {
            boolean isNew = !sights.containsKey(e.name);
            Sight s = sight(e);
            boolean sameProcess = s.process.equals(e.process) && s.incarnation == e.incarnation;
            if (isNew || isNewEpoch || !sameProcess || s.seq != e.seq) {
                s.calledAt = now;
            }
            if (isNew || s.granted != e.granted || s.ticket != e.ticket) {
                s.since = now;
            }
            s.process = e.process;
            s.incarnation = e.incarnation;
            s.seq = e.seq;
            s.granted = e.granted;
            s.ticket = e.ticket;
        }
    }

    /**
     * Applies a ruling whose book was written, or is as it was read.
     *
     * @param askedAt when the call was made, by the caller's clock
     * @return the answer, with the age of the proof that it is based on
     */
    public synchronized LeaseReply settle(Ruling ruling, LeaseCall call, long askedAt, long now) {
        writesSeen = ruling.writes;
        if (ruling.isChanged) {
            look(ruling.book, now);
        }
        for (BookEntry e : ruling.book.entries) {
            Sight s = sight(e);
            s.toldSoft = e.toldSoft;
            s.toldHard = e.toldHard;
            s.toldAt = e.toldAt;
        }
        boolean isLeased = ruling.reply.status() == LeaseReply.Status.OK && call.form() != LeaseCall.Form.BYE;
        if (!isLeased) {
            provenAt = NEVER;
            return ruling.reply;
        }
        if (ruling.isChanged || ruling.wasThere) {
            provenAt = Math.max(provenAt, askedAt);
            writtenIncarnation = call.incarnation();
            writtenSeq = call.seq();
        }
        return ruling.reply.provenBefore(Math.max(0, askedAt - provenAt));
    }

    /**
     * Whether an announcement is news: one that is based on an older book than this instance's last answer is not.
     *
     * @param writes how often the book was written when the announcement was made
     */
    public synchronized boolean isNews(long writes) {
        return writes >= writesSeen;
    }

    /**
     * Whether the next call must itself prove that this instance lives, because the last proof is too old or there is none.
     *
     * @param at by the caller's clock
     */
    public synchronized boolean isToProve(long at) {
        return provenAt == NEVER || at - provenAt > validFor / 3;
    }

    /**
     * Records a beat of this process. Times by the caller's clock.
     *
     * @param sentAt when the beat was sent
     * @param answeredAt when its answer came: if the lease had ended by then, a burial may be on its way that was decided
     *     without it
     */
    public synchronized void beaten(long sentAt, long answeredAt) {
        if (provenAt != NEVER && answeredAt - provenAt < validFor) {
            provenAt = Math.max(provenAt, sentAt);
        }
    }
}
