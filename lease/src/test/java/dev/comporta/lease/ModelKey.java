package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs a state into bytes, the same for states that can't be told apart: totals count from the smallest that is still in
 * use, times from now, tickets, calls and incarnations by their order, and instances have no names. {@link ModelReader}
 * makes a world of them again. Not for several threads.
 */
final class ModelKey {
    static final int ABSENT = 99;
    /** Its time is over: whatever comes next buries it, and nobody reads what is in it. */
    static final int OVER = 98;

    static final int ALWAYS = 97;

    private static final long TICK = ModelWorld.TICK;

    private final ModelSetting setting;

    private final boolean stale;
    private final boolean pressing;
    private final boolean apart;
    /** There may be fewer slots than instances in need, so that it counts who got one longest ago. */
    private final boolean turns;

    private final ModelBytes blocks = new ModelBytes();
    private final int[] starts;
    private final Integer[] order;
    private final Ranks incarnations = new Ranks();
    private final Ranks[] seqs = new Ranks[12];
    /** Of each incarnation: the smallest total. Totals and the order of calls count within an incarnation. */
    private final long[] bases = new long[12];

    private ModelWorld w;
    private ModelPeer who;
    private ModelBytes out = blocks;

    ModelKey(ModelSetting setting) {
        this.setting = setting;
        stale = setting.has(Fault.STALE);
        pressing = setting.has(ModelSetting.Trait.PRESSING);
        apart = setting.has(ModelSetting.Trait.APART);
        turns = setting.limit() < setting.instances();
        starts = new int[setting.instances() + 1];
        order = new Integer[setting.instances()];
        Arrays.setAll(seqs, i -> new Ranks());
        w = new ModelWorld(setting);
        who = w.peers[0];
    }

    void pack(ModelWorld world, ModelBytes into) {
        w = world;
        blocks.clear();
        out = blocks;
        for (int i = 0; i < w.peers.length; i++) {
            starts[i] = blocks.length;
            order[i] = i;
            peer(w.peers[i]);
        }
        starts[w.peers.length] = blocks.length;
        if (!apart) {
            Arrays.sort(order, this::compareBlocks); // a draft tells of the others by their place
        }

        into.clear();
        out = into;
        out.put(w.faultsLeft);
        out.put(w.storeUp ? 1 : 0);
        book(w.book);
        if (stale) {
            book(w.replica);
        }
        for (int i : order) {
            out.put(blocks.bytes, starts[i], starts[i + 1]);
        }
        out.fingerprint();
    }

    private int compareBlocks(int a, int b) {
        return Arrays.compare(blocks.bytes, starts[a], starts[a + 1], blocks.bytes, starts[b], starts[b + 1]);
    }

    private void book(LeaseBook b) {
        out.put(b.run.isEmpty() ? 0 : isCurrent(b) ? 1 : 2);
        out.put(ahead(b.opens));
        out.put(b.vacant ? 1 : 0);
    }

    private boolean isCurrent(LeaseBook b) {
        return b.run.equals(ModelWorld.serverName(w.server));
    }

    /** Ticks until then, none if it is past. */
    private long ahead(long at) {
        return at <= w.now ? 0 : (at - w.now) / TICK;
    }

    /** Ticks since then, as far as they matter. */
    private long age(long at, long most) {
        return Math.min(most, (w.now - at) / TICK);
    }

    private void peer(ModelPeer p) {
        BookEntry entry = w.book.of(p.name);
        BookEntry old = stale ? w.replica.of(p.name) : null;
        SlotAccount a = p.account;
        who = p;
        rank(p, entry, old);
        out.put((p.paused ? 1 : 0) + (p.cut ? 2 : 0) + (w.turn == p ? 4 : 0));
        if (a == null) {
            out.put(ABSENT);
            out.put(incarnations.of(p.nextIncarnation));
        } else {
            account(a);
            messages(p, a);
            if (pressing) {
                out.put(p.idle);
                boolean wanted = p.demand.wanted > 0 && p.demand.believedUntil > w.now;
                out.put(wanted ? p.demand.wanted : 0);
            }
        }
        entry(w.book, entry);
        if (stale) {
            entry(w.replica, old);
        }
        call(p.ghost);
        if (apart) {
            draft(p.draft);
            draft(p.ghostDraft);
            long most = setting.validFor();
            out.put(p.provenAt == SlotAccount.NEVER ? most : age(p.provenAt, most));
        }
    }

    private void draft(@Nullable ModelDraft d) {
        if (d == null) {
            out.put(ABSENT);
            return;
        }
        out.put(Math.max(0, d.opens() - d.readAt()) / TICK);
        for (long until : d.untils()) {
            out.put(Math.max(0, until - d.readAt()) / TICK);
        }
    }

    private void account(SlotAccount a) {
        out.put(a.standing.ordinal());
        out.put(a.form.ordinal());
        out.put(incarnations.of(a.incarnation));
        out.put(seq(a.incarnation, a.acked));
        out.put(a.seen - base(a.incarnation));
        out.put(a.returned - base(a.incarnation));
        out.put(a.asks.line);
        out.put(a.asks.atOnce);
        out.put(a.asks.withdrawing);
        out.put(a.owed);
        out.put(a.outlived);
        out.put(a.news ? 1 : 0);
        out.put(a.validUntil == SlotAccount.ALWAYS ? ALWAYS : ahead(a.validUntil));
        boolean troubled = a.standing == SlotAccount.Standing.TROUBLED || a.standing == SlotAccount.Standing.FALLBACK;
        out.put(troubled ? age(a.troubledSince, setting.ttl()) : 0);
    }

    private void messages(ModelPeer p, SlotAccount a) {
        LeaseCall c = a.inFlight;
        out.put(c == null ? 0 : age(c.sentAt(), setting.validFor()));
        call(c);
        LeaseReply r = p.reply;
        if (c != null) {
            out.put(a.asks.withdrawingInFlight);
            out.put(p.request != null ? 1 : r != null ? 2 : 0);
            if (p.request == null && r != null) {
                boolean counts = r.status() == LeaseReply.Status.OK && c.incarnation() == a.incarnation;
                out.put(r.status().ordinal());
                out.put(r.status() == LeaseReply.Status.SUPERSEDED ? incarnations.of(r.incarnation()) : 0);
                out.put(counts ? r.granted() - base(a.incarnation) : 0);
                out.put(counts ? r.soft() : 0);
                out.put(counts ? r.hard() : 0);
            }
        }
        LeaseBook.Announcement note = p.note;
        if (note == null) {
            out.put(ABSENT);
            return;
        }
        out.put(Math.max(note.granted(), a.seen) - base(a.incarnation));
        if (pressing) {
            out.put(note.soft());
            out.put(note.hard());
        }
    }

    private void entry(LeaseBook b, @Nullable BookEntry e) {
        if (e == null) {
            out.put(ABSENT);
            return;
        }
        if (isOver(b, e)) {
            out.put(OVER);
            return;
        }
        out.put(incarnations.of(e.incarnation));
        out.put(seq(e.incarnation, seqOf(e)));
        out.put(e.granted - base(e.incarnation));
        out.put(e.returned - base(e.incarnation));
        out.put(e.waiting());
        out.put(ahead(e.until));
        out.put(e.epoch == b.epoch ? 1 : 0);
        out.put(e.waiting() == 0 ? 0 : place(b, e));
        if (pressing) {
            demands(e);
        }
    }

    /** What is to be given up is decided anew with every call; what was told is told again when a tick has passed. */
    private void demands(BookEntry e) {
        boolean fresh = e.toldSoft + e.toldHard > 0 && age(e.toldAt, 1) == 0;
        out.put(e.idle);
        out.put(e.held() + e.waiting() == 0 ? 0 : age(e.idleAt, 1));
        out.put(e.waiting() > 0 || (turns && e.held() > 0) ? age(e.since, turns ? 2 : 1) : 0);
        out.put(fresh ? e.toldSoft : 0);
        out.put(fresh ? e.toldHard : 0);
    }

    /** In books that a server took over, the dead live until all had time to call. */
    private boolean isOver(LeaseBook b, BookEntry e) {
        return e.until <= w.now && !stale && !apart && isCurrent(b);
    }

    private long place(LeaseBook b, BookEntry e) {
        long place = 0;
        for (BookEntry o : b.entries) {
            place += o.waiting() > 0 && o.ticket <= e.ticket && !isOver(b, o) ? 1 : 0;
        }
        return place;
    }

    private void call(@Nullable LeaseCall c) {
        if (c == null) {
            out.put(ABSENT);
            return;
        }
        out.put(c.form().ordinal());
        out.put(incarnations.of(c.incarnation()));
        out.put(seq(c.incarnation(), c.seq()));
        out.put(seq(c.incarnation(), c.acked()));
        out.put(c.seen() - base(c.incarnation()));
        out.put(c.returned() - base(c.incarnation()));
        out.put(c.asked() - c.seen());
        out.put(c.atOnce());
        out.put(c.idle());
    }

    private void rank(ModelPeer p, @Nullable BookEntry entry, @Nullable BookEntry old) {
        incarnations.clear();
        SlotAccount a = p.account;
        if (a == null) {
            incarnations.add(p.nextIncarnation);
        } else {
            incarnations.add(a.incarnation);
            rankCall(a.inFlight);
        }
        rankCall(p.ghost);
        boolean over = entry != null && isOver(w.book, entry);
        if (entry != null && !over) {
            incarnations.add(entry.incarnation);
        }
        if (old != null) {
            incarnations.add(old.incarnation);
        }
        if (p.reply != null && p.reply.status() == LeaseReply.Status.SUPERSEDED) {
            incarnations.add(p.reply.incarnation());
        }
        for (int i = 0; i < incarnations.size; i++) {
            seqs[i].clear();
            bases[i] = Long.MAX_VALUE;
        }
        if (a != null) {
            note(a.incarnation, a.acked, a.returned);
            noteCall(a.inFlight);
        }
        noteCall(p.ghost);
        if (entry != null && !over) {
            note(entry.incarnation, seqOf(entry), entry.returned);
        }
        if (old != null) {
            note(old.incarnation, seqOf(old), old.returned);
        }
    }

    private void rankCall(@Nullable LeaseCall c) {
        if (c != null) {
            incarnations.add(c.incarnation());
        }
    }

    /** The order of calls counts among those of one incarnation. */
    private long seqOf(@Nullable BookEntry e) {
        if (e == null) {
            return 0;
        }
        SlotAccount a = who.account;
        boolean counts = a != null && (a.incarnation == e.incarnation || isOf(a.inFlight, e));
        return counts || isOf(who.ghost, e) ? e.seq : 0;
    }

    private static boolean isOf(@Nullable LeaseCall c, BookEntry e) {
        return c != null && c.incarnation() == e.incarnation;
    }

    private void noteCall(@Nullable LeaseCall c) {
        if (c != null) {
            note(c.incarnation(), c.seq(), c.returned());
            note(c.incarnation(), c.acked(), c.returned());
        }
    }

    private void note(long incarnation, long seq, long returned) {
        int rank = incarnations.of(incarnation);
        seqs[rank].add(seq);
        bases[rank] = Math.min(bases[rank], returned);
    }

    private long base(long incarnation) {
        return bases[incarnations.of(incarnation)];
    }

    private int seq(long incarnation, long seq) {
        return seqs[incarnations.of(incarnation)].of(seq);
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
