package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.ModelSetting.Trait;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A small fleet and its store, in one state. What can happen to it is {@link ModelMove}. */
final class ModelWorld {
    /** The model's time goes in seconds, so that the store's own constants, in milliseconds, mean what they say. */
    static final long TICK = 1000;

    private static final String[] SERVERS = {"server 0", "server 1", "server 2", "server 3"};

    final ModelSetting setting;
    final boolean pressing;
    final boolean outliving;
    final boolean apart;
    private final boolean tardy;
    final ModelPeer[] peers;
    private final LeaseTerms terms;

    int faultsLeft;
    long now = TICK;
    int server = 1;
    boolean storeUp = true;
    /**
     * Has done something that the others learn of by its next call only, and goes on until that call: nobody can see in which
     * order it and the others did what they did before. Unless it can hear something first, which is then left open.
     */
    @Nullable
    ModelPeer turn;

    LeaseBook book;
    /** As a replica has it: the last call is missing. */
    LeaseBook replica;

    /** Slots that were granted or revoked. Not part of the state. */
    int moves;
    /** In this move the store had to choose whom to press, which it does by name where nothing else tells them apart. */
    boolean decidedByName;

    ModelWorld(ModelSetting setting) {
        this.setting = setting;
        pressing = setting.has(Trait.PRESSING);
        outliving = setting.has(Trait.OUTLIVING);
        apart = setting.has(Trait.APART);
        tardy = setting.has(Trait.TARDY);
        terms = new LeaseTerms(
                setting.ttl() * TICK, setting.validFor() * TICK, setting.has(Trait.FALLBACK), setting.instances());
        faultsLeft = setting.budget();
        book = new LeaseBook(pressing);
        replica = new LeaseBook(pressing);
        peers = new ModelPeer[setting.instances()];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new ModelPeer(String.valueOf((char) ('a' + i)), this);
            peers[i].start(1);
        }
    }

    static String serverName(int number) {
        return number < SERVERS.length ? SERVERS[number] : "server " + number;
    }

    SlotAccount newAccount(long incarnation) {
        return new SlotAccount(terms, incarnation, LimitWord.asStarted(setting.limit()));
    }

    /** How many connections are wanted in all, those included that are there. */
    int crowd() {
        int sum = 0;
        for (ModelPeer p : peers) {
            SlotAccount a = p.account;
            sum += a == null ? 0 : a.held() + a.asks.line + a.asks.atOnce + a.asks.withdrawing;
        }
        return sum;
    }

    boolean isFirst(ModelPeer p) {
        return p == peers[0];
    }

    boolean isPossible(ModelMove move, ModelPeer p) {
        return (turn == null || (turn == p && move.isOwn()))
                && (move.fault == null || (faultsLeft > 0 && setting.has(move.fault)))
                && move.possible(this, p);
    }

    void make(ModelMove move, ModelPeer p) {
        if (move.fault != null) {
            faultsLeft--;
        }
        decidedByName = false;
        move.make(this, p);
        settle();
    }

    /**
     * What is due is done at once. Nobody else can see an instance find out that its lease is over, and what it does then
     * comes before anything else that it does: a state in which it has not yet looked need not be told apart.
     */
    void settle() {
        for (ModelPeer p : peers) {
            if (p.isAwake()) {
                p.pump();
            }
            p.forgetOldNews();
        }
    }

    /**
     * Who has something to tell, got no answer, or must renew its lease, calls, and who was told something hears it: the time
     * that takes is short against a tick. Where it takes longer something goes wrong, or everything may be tardy.
     */
    boolean isSomethingDue() {
        for (ModelPeer p : peers) {
            if ((canCall(p) && isToCall(p.account())) || (!tardy && p.isAwake() && p.note != null)) {
                return true;
            }
        }
        return false;
    }

    private boolean isToCall(SlotAccount a) {
        return switch (a.standing) {
            case IN_TOUCH -> a.news || (!tardy && a.form == LeaseCall.Form.SYNC && isToRenew(a));
            case TROUBLED, FALLBACK -> true;
            case SUPERSEDED -> false;
        };
    }

    private boolean isToRenew(SlotAccount a) {
        return a.validUntil < now + setting.validFor() * TICK;
    }

    private boolean canCall(ModelPeer p) {
        return storeUp && !p.cut && p.isAwake() && p.account().inFlight == null;
    }

    /** Whether anything could come of a connection being idle or not: before that it makes no difference when it came to be. */
    boolean isIdlenessSeen(ModelPeer p) {
        SlotAccount a = p.account();
        return mayCall(p)
                || a.inFlight != null
                || p.note != null
                || p.demand.wanted > 0
                || a.owed > 0
                || a.asks.line > 0;
    }

    boolean hasAppetite(ModelPeer p) {
        SlotAccount a = p.account();
        return a.held() + a.asks.line + a.asks.atOnce + a.asks.withdrawing < setting.appetite()
                && crowd() < setting.crowd();
    }

    void takeTurn(ModelPeer p) {
        if (canCall(p) && mayCall(p) && p.note == null) {
            turn = p;
        }
    }

    /** A call that says nothing new only keeps the lease alive: not twice at the same time. */
    boolean mayCall(ModelPeer p) {
        SlotAccount a = p.account();
        return a.inFlight == null && (a.news || isToRenew(a));
    }

    void send(ModelPeer p) {
        turn = null;
        p.request = call(p);
    }

    LeaseCall call(ModelPeer p) {
        p.account().idle = p.idle;
        return p.account().call(now);
    }

    void giveUp(ModelPeer p) {
        p.request = null;
        p.draft = null;
        p.reply = null;
        p.account().failed(now, p);
    }

    /** Who waits for an answer finds that there will be none. */
    void giveUpIfWaiting(ModelPeer p) {
        if (p.isAwake() && p.account().inFlight != null) {
            giveUp(p);
        }
    }

    void hear(ModelPeer p) {
        LeaseReply reply = Objects.requireNonNull(p.reply);
        p.reply = null;
        p.account().answered(reply, now, p);
        if (pressing && reply.status() == LeaseReply.Status.OK) {
            p.demand.heard(reply.soft(), now);
        }
    }

    void hearNote(ModelPeer p) {
        LeaseBook.Announcement note = Objects.requireNonNull(p.note);
        p.note = null;
        SlotAccount a = p.account();
        a.announced(note.incarnation(), note.granted(), pressing ? note.hard() : 0, now, p);
        if (pressing && note.soft() > 0 && note.incarnation() == a.incarnation) {
            p.demand.heard(note.soft(), now);
            a.news = true;
        }
    }

    void carryOut(ModelPeer p) {
        LeaseCall request = Objects.requireNonNull(p.request);
        ModelDraft draft = p.draft;
        p.request = null;
        p.draft = null;
        p.reply = apart && draft != null ? write(p, request, draft) : decide(p, request);
    }

    /** The book is as it was read, apart from beats. */
    LeaseReply write(ModelPeer p, LeaseCall call, ModelDraft draft) {
        LeaseBook read = draft.book(this);
        LeaseBook decided = read.copy();
        LeaseReply reply = decided.lease(p.name, call, serverName(server), false, setting.ttl() * TICK, draft.readAt());
        decided.closed = decided.opens > draft.readAt();
        boolean isLeased = reply.status() == LeaseReply.Status.OK && call.form() != LeaseCall.Form.BYE;
        boolean isCurrent = p.account != null && p.account.inFlight == call;
        if (decided.isStoredAs(read) && (!isLeased || p.isProven())) {
            beat(p, call, isLeased);
        } else {
            commit(draft.written(this, decided));
        }
        if (isCurrent) {
            p.provenAt = isLeased ? Math.max(p.provenAt, call.sentAt()) : SlotAccount.NEVER;
        }
        return reply;
    }

    /** Others see it, and it conflicts with nothing. What call was answered last is remembered by who made it. */
    private void beat(ModelPeer p, LeaseCall call, boolean isLeased) {
        BookEntry e = book.of(p.name);
        if (isLeased && e != null && e.incarnation == call.incarnation()) {
            e.until = now + setting.ttl() * TICK;
            e.seq = Math.max(e.seq, call.seq());
        }
    }

    private void commit(LeaseBook written) {
        if (setting.has(Fault.STALE)) {
            replica = book.copy();
        }
        book = written;
        for (ModelPeer p : peers) {
            p.draft = null;
            if (p.ghost != null) {
                p.ghost = null;
                p.ghostDraft = null;
            }
        }
        announce();
    }

    LeaseReply decide(ModelPeer p, LeaseCall call) {
        if (apart) {
            return write(p, call, ModelDraft.of(this));
        }
        if (setting.has(Fault.STALE)) {
            replica = book.copy();
        }
        LeaseReply reply = book.lease(p.name, call, serverName(server), false, setting.ttl() * TICK, now);
        decidedByName = pressing && book.isPressed();
        forgetOvertaken();
        announce();
        return reply;
    }

    private void announce() {
        for (LeaseBook.Announcement note : book.takeAnnouncements()) {
            for (ModelPeer other : peers) {
                if (other.name.equals(note.to()) && other.account != null && !other.cut) {
                    other.note = note;
                }
            }
        }
    }

    /** An old call that can't change anything any more, whatever happens, need not be followed any further. */
    private void forgetOvertaken() {
        for (ModelPeer p : peers) {
            LeaseCall ghost = p.ghost;
            if (ghost != null && ghost.form() == LeaseCall.Form.SYNC) {
                BookEntry e = book.of(p.name);
                if (e == null || e.incarnation != ghost.incarnation() || e.seq >= ghost.seq()) {
                    p.ghost = null;
                }
            }
        }
    }

    /** Who waits for an answer finds out. A call does not outlive the server it was sent to: clients repeat nothing. */
    void restart(LeaseBook books) {
        book = books;
        replica = setting.has(Fault.STALE) ? book.copy() : replica;
        server++;
        for (ModelPeer p : peers) {
            p.note = null;
            p.ghost = null;
            p.ghostDraft = null;
            p.request = null;
            p.draft = null;
            giveUpIfWaiting(p);
        }
    }
}
