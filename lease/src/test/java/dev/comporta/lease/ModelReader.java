package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a world of what {@link ModelKey} packed. One world, written over each time. Not for several threads. */
final class ModelReader {
    /** Where the clock of such a world stands: far enough from zero for what lies in the past. */
    private static final long NOW = 50 * ModelWorld.TICK;

    private static final long EPOCH = 5;
    private static final int SERVER = 1;
    private static final LeaseCall.Form[] FORMS = LeaseCall.Form.values();
    private static final SlotAccount.Standing[] STANDINGS = SlotAccount.Standing.values();
    private static final LeaseReply.Status[] STATUSES = LeaseReply.Status.values();

    private final ModelSetting setting;
    private final boolean stale;
    private final boolean pressing;
    private final boolean apart;
    private final ModelWorld w;
    private final List<LeaseReply.Member> fleet = new ArrayList<>();

    private ModelBytes in = new ModelBytes();
    /** Of the incarnation that is being read, the latest call: the next one's number must be higher. */
    private int latest;

    private long current;

    ModelReader(ModelSetting setting) {
        this.setting = setting;
        stale = setting.has(Fault.STALE);
        pressing = setting.has(ModelSetting.Trait.PRESSING);
        apart = setting.has(ModelSetting.Trait.APART);
        w = new ModelWorld(setting);
        for (ModelPeer p : w.peers) {
            fleet.add(new LeaseReply.Member(p.name, 0, 0, 0, setting.limit(), 0));
        }
    }

    /**
     * @param names gives the instances these names, in the order in which they were packed: where the store decides by
     *     name, each of them can be anyone
     */
    ModelWorld read(ModelBytes from, int[] names) {
        in = from;
        in.rewind();
        w.now = NOW;
        w.server = SERVER;
        w.moves = 0;
        w.turn = null;
        w.faultsLeft = in.take();
        w.storeUp = in.take() == 1;
        w.book = book();
        if (stale) {
            w.replica = book();
        }
        for (int name : names) {
            peer(w.peers[name]);
        }
        return w;
    }

    private LeaseBook book() {
        LeaseBook b = new LeaseBook(pressing);
        b.run = switch (in.take()) {
            case 0 -> "";
            case 1 -> ModelWorld.serverName(SERVER);
            default -> ModelWorld.serverName(SERVER - 1);
        };
        b.epoch = EPOCH;
        b.opens = NOW + in.take() * ModelWorld.TICK;
        b.vacant = in.take() == 1;
        b.limit = setting.limit();
        b.ticket = setting.instances();
        return b;
    }

    private void peer(ModelPeer p) {
        int flags = in.take();
        p.paused = (flags & 1) != 0;
        p.cut = (flags & 2) != 0;
        w.turn = (flags & 4) != 0 ? p : w.turn;
        p.request = null;
        p.reply = null;
        p.note = null;
        p.nextIncarnation = 0;
        p.idle = 0;
        p.demand.heard(0, NOW);
        latest = 0;
        int standing = in.take();
        if (standing == ModelKey.ABSENT) {
            p.account = null;
            p.nextIncarnation = in.take();
            p.outstanding = 0;
            p.outlived = 0;
        } else {
            if (p.account == null) {
                p.start(0);
            }
            account(p, p.account(), STANDINGS[standing]);
            messages(p, p.account());
            if (pressing) {
                p.idle = in.take();
                p.demand.wanted = in.take();
                p.demand.believedUntil = NOW + ModelWorld.TICK;
            }
        }
        entry(p, w.book);
        if (stale) {
            entry(p, w.replica);
        }
        p.ghost = call(0);
        if (apart) {
            p.draft = draft();
            p.ghostDraft = draft();
            p.provenAt = NOW - in.take() * ModelWorld.TICK;
        }
        if (p.account != null) {
            p.account.seq = latest;
        }
    }

    private void account(ModelPeer p, SlotAccount a, SlotAccount.Standing standing) {
        a.standing = standing;
        a.form = FORMS[in.take()];
        a.incarnation = in.take();
        a.acked = in.take();
        latest = (int) a.acked;
        current = a.incarnation;
        a.seen = in.take();
        a.returned = in.take();
        a.asks.line = in.take();
        a.asks.unreported = 0; // only reported to the bucket: nothing depends on it
        a.asks.atOnce = in.take();
        a.asks.withdrawing = in.take();
        a.owed = in.take();
        a.outlived = in.take();
        p.outlived = a.outlived;
        a.news = in.take() == 1;
        int valid = in.take();
        a.validUntil = valid == ModelKey.ALWAYS ? SlotAccount.ALWAYS : NOW + valid * ModelWorld.TICK;
        a.troubledSince = NOW - in.take() * ModelWorld.TICK;
        a.rulingLimit = setting.limit();
        a.fleetSeen = setting.instances();
        a.idle = 0;
        p.outstanding = a.asks.line + a.asks.atOnce + a.asks.withdrawing;
    }

    private void messages(ModelPeer p, SlotAccount a) {
        LeaseCall call = call(NOW - in.take() * ModelWorld.TICK);
        a.inFlight = call;
        a.asks.unreportedInFlight = 0;
        a.asks.withdrawingInFlight = 0;
        if (call != null) {
            a.asks.withdrawingInFlight = in.take();
            int where = in.take();
            p.request = where == 1 ? call : null;
            p.reply = where == 2 ? reply() : null;
        }
        int granted = in.take();
        if (granted != ModelKey.ABSENT) {
            int soft = pressing ? in.take() : 0;
            int hard = pressing ? in.take() : 0;
            p.note = new LeaseBook.Announcement(p.name, a.incarnation, granted, soft, hard);
        }
    }

    /** Only the order of its times counts: it is as well read now. */
    private @Nullable ModelDraft draft() {
        int opens = in.take();
        if (opens == ModelKey.ABSENT) {
            return null;
        }
        long[] untils = new long[setting.instances()];
        for (int i = 0; i < untils.length; i++) {
            untils[i] = NOW + in.take() * ModelWorld.TICK;
        }
        return new ModelDraft(NOW, NOW + opens * ModelWorld.TICK, untils);
    }

    private LeaseReply reply() {
        LeaseReply.Status status = STATUSES[in.take()];
        int incarnation = in.take();
        int granted = in.take();
        int soft = in.take();
        int hard = in.take();
        int limit = setting.limit();
        return new LeaseReply(status, incarnation, granted, soft, hard, limit, LimitWord.Change.NONE, 0, 0, fleet, 0);
    }

    private @Nullable LeaseCall call(long sentAt) {
        int form = in.take();
        if (form == ModelKey.ABSENT) {
            return null;
        }
        int incarnation = in.take();
        int seq = seqOf(incarnation);
        int acked = in.take();
        int seen = in.take();
        int returned = in.take();
        int asked = seen + in.take();
        int atOnce = in.take();
        int idle = in.take();
        LimitWord limit = LimitWord.asStarted(setting.limit());
        return new LeaseCall(
                FORMS[form], incarnation, seq, acked, seen, returned, asked, atOnce, idle, limit, fleet.size(), sentAt);
    }

    private int seqOf(long incarnation) {
        int seq = in.take();
        latest = incarnation == current ? Math.max(latest, seq) : latest;
        return seq;
    }

    private void entry(ModelPeer p, LeaseBook b) {
        int incarnation = in.take();
        if (incarnation == ModelKey.ABSENT) {
            return;
        }
        BookEntry e = new BookEntry(p.name);
        e.limit = setting.limit();
        e.fleet = setting.instances();
        if (incarnation == ModelKey.OVER) {
            e.until = NOW;
        } else {
            e.incarnation = incarnation;
            fill(e);
        }
        b.put(e);
    }

    private void fill(BookEntry e) {
        e.seq = seqOf(e.incarnation);
        e.granted = in.take();
        e.returned = in.take();
        e.asked = e.granted + in.take();
        e.until = NOW + in.take() * ModelWorld.TICK;
        e.epoch = in.take() == 1 ? EPOCH : EPOCH - 1;
        e.ticket = in.take();
        if (pressing) {
            e.idle = in.take();
            e.idleAt = NOW - in.take() * ModelWorld.TICK;
            e.since = NOW - in.take() * ModelWorld.TICK;
            e.toldSoft = in.take();
            e.toldHard = in.take();
            e.toldAt = e.toldSoft + e.toldHard > 0 ? NOW : 0;
        }
    }
}
