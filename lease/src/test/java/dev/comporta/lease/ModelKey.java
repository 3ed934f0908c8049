package dev.comporta.lease;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A state of the model as numbers, the same for states that can't be told apart: totals count from the smallest that is
 * still in use, times from now, tickets and incarnations by their order, and instances have no names.
 */
final class ModelKey {
    private static final int ABSENT = 99;

    private final ModelWorld w;
    private int[] out = new int[96];
    private int length;
    private final Ranks incarnations = new Ranks();
    private final Ranks seqs = new Ranks();
    private final Map<Long, Long> bases = new HashMap<>();

    private ModelKey(ModelWorld w) {
        this.w = w;
    }

    static int[] of(ModelWorld w) {
        return new ModelKey(w).encode();
    }

    private int[] encode() {
        put(w.faultsLeft);
        put(w.storeUp ? 1 : 0);
        book(w.book);
        if (w.faults.stale()) {
            book(w.replica);
        }
        int[][] blocks = new int[w.peers.size()][];
        int head = length;
        for (int i = 0; i < blocks.length; i++) {
            length = head;
            peer(w.peers.get(i));
            blocks[i] = Arrays.copyOfRange(out, head, length);
        }
        Arrays.sort(blocks, Arrays::compare);
        length = head;
        for (int[] block : blocks) {
            for (int value : block) {
                put(value);
            }
            put(-77);
        }
        return Arrays.copyOf(out, length);
    }

    private void put(long value) {
        if (length == out.length) {
            out = Arrays.copyOf(out, length * 2);
        }
        out[length++] = (int) value;
    }

    private void book(LeaseBook b) {
        put(b.run.equals("server " + w.server) ? 1 : b.run.isEmpty() ? 0 : 2);
        put(Math.max(0, b.opens - w.now));
        put(b.vacant ? 1 : 0);
    }

    private void peer(ModelPeer p) {
        LeaseBook.Entry entry = w.book.entries.get(p.name);
        LeaseBook.Entry old = w.faults.stale() ? w.replica.entries.get(p.name) : null;
        SlotAccount a = p.account;
        rank(p, entry, old);
        put(p.paused ? 1 : 0);
        put(p.cut ? 1 : 0);
        if (a == null) {
            put(ABSENT);
            put(incarnations.of(p.nextIncarnation));
        } else {
            account(p, a);
        }
        entry(w.book, entry);
        if (w.faults.stale()) {
            entry(w.replica, old);
        }
        call(p.request);
        call(p.ghost);
        LeaseReply r = p.reply;
        if (r == null || a == null || a.inFlight == null) {
            put(ABSENT);
        } else {
            put(r.status().ordinal());
            put(r.status() == LeaseReply.Status.SUPERSEDED ? incarnations.of(r.incarnation()) : 0);
            put(r.status() == LeaseReply.Status.OK ? r.granted() - base(r.incarnation()) : 0);
        }
        LeaseBook.Announcement note = p.note;
        boolean matters = note != null && a != null && note.incarnation() == a.incarnation && note.granted() > a.seen;
        put(note != null && matters ? note.granted() - base(note.incarnation()) : ABSENT);
    }

    private void account(ModelPeer p, SlotAccount a) {
        put(a.standing.ordinal());
        put(a.form.ordinal());
        put(incarnations.of(a.incarnation));
        put(seqs.of(a.seq));
        put(seqs.of(a.acked));
        put(a.seen - base(a.incarnation));
        put(a.returned - base(a.incarnation));
        put(a.line);
        put(a.untold);
        put(a.withdrawing);
        put(a.news ? 1 : 0);
        put(a.validUntil == SlotAccount.ALWAYS ? 50 : a.validUntil <= w.now ? 0 : a.validUntil - w.now);
        boolean troubled = a.standing == SlotAccount.Standing.TROUBLED || a.standing == SlotAccount.Standing.FALLBACK;
        put(troubled ? Math.min(ModelWorld.TTL, w.now - a.troubledSince) : -1);
        LeaseCall c = a.inFlight;
        call(c);
        put(c == null ? ABSENT : Math.min(ModelWorld.VALID_FOR, w.now - c.sentAt()));
        put(c == null ? ABSENT : a.untoldInFlight * 100 + a.withdrawingInFlight);
        put(p.outstanding);
    }

    private void entry(LeaseBook b, LeaseBook.@Nullable Entry e) {
        if (e == null) {
            put(ABSENT);
            return;
        }
        put(incarnations.of(e.incarnation));
        put(seqs.of(e.seq));
        put(e.granted - base(e.incarnation));
        put(e.returned - base(e.incarnation));
        put(e.waiting());
        put(Math.max(0, e.until - w.now));
        put(e.epoch == b.epoch ? 1 : 0);
        long place = b.entries.values().stream()
                .filter(o -> o.waiting() > 0 && o.ticket <= e.ticket)
                .count();
        put(e.waiting() == 0 ? 0 : place);
    }

    private void call(@Nullable LeaseCall c) {
        if (c == null) {
            put(ABSENT);
            return;
        }
        put(c.form().ordinal());
        put(incarnations.of(c.incarnation()));
        put(seqs.of(c.seq()));
        put(seqs.of(c.acked()));
        put(c.seen() - base(c.incarnation()));
        put(c.returned() - base(c.incarnation()));
        put(c.asked() - c.seen());
    }

    private void rank(ModelPeer p, LeaseBook.@Nullable Entry entry, LeaseBook.@Nullable Entry old) {
        incarnations.clear();
        seqs.clear();
        bases.clear();
        incarnations.add(p.nextIncarnation);
        SlotAccount a = p.account;
        if (a != null) {
            note(a.incarnation, a.seq, a.returned);
            seqs.add(a.acked);
            noteCall(a.inFlight);
        }
        for (LeaseBook.Entry e : new LeaseBook.Entry[] {entry, old}) {
            if (e != null) {
                note(e.incarnation, e.seq, e.returned);
            }
        }
        noteCall(p.request);
        noteCall(p.ghost);
        if (p.reply != null) {
            incarnations.add(p.reply.incarnation());
        }
    }

    private void noteCall(@Nullable LeaseCall c) {
        if (c != null) {
            note(c.incarnation(), c.seq(), c.returned());
            seqs.add(c.acked());
        }
    }

    private void note(long incarnation, long seq, long returned) {
        incarnations.add(incarnation);
        seqs.add(seq);
        bases.merge(incarnation, returned, Math::min);
    }

    private long base(long incarnation) {
        return bases.getOrDefault(incarnation, 0L);
    }

    /** Numbers of which only the order counts. There are a handful: an array in order is all it takes. */
    private static final class Ranks {
        private final long[] values = new long[12];
        private int size;

        void clear() {
            size = 0;
            add(0);
        }

        void add(long value) {
            int at = of(value);
            if (at < size && values[at] == value) {
                return;
            }
            System.arraycopy(values, at, values, at + 1, size - at);
            values[at] = value;
            size++;
        }

        int of(long value) {
            int at = 0;
            while (at < size && values[at] < value) {
                at++;
            }
            return at;
        }
    }
}
