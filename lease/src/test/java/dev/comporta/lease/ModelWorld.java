package dev.comporta.lease;

import dev.comporta.pool.LeasePort.Patience;
import java.util.ArrayList;
import java.util.List;

/**
 * A small fleet and its store, in one state. Each step is one thing that can happen next; nothing is left out: a message
 * may be carried out and its answer lost, be carried out long after it was given up, or never.
 */
final class ModelWorld {
    /** What may go wrong, and how often in all. */
    record Faults(
            int budget,
            boolean crash,
            boolean pause,
            boolean loss,
            boolean ghost,
            boolean empty,
            boolean stale,
            boolean outage,
            boolean cut) {
        static final Faults NONE = new Faults(0, false, false, false, false, false, false, false, false);
    }

    /**
     * @param appetite connections that an instance wants at most
     * @param swift a call is answered at once, unless something goes wrong; otherwise anything can happen in between
     */
    record Size(int instances, int limit, int appetite, boolean fallback, boolean swift) {}

    static final long TTL = 2;
    static final long VALID_FOR = 1;

    /** A state that follows, and what led to it. */
    record Step(String what, ModelWorld world) {}

    final Size size;
    final Faults faults;
    int faultsLeft;
    long now;
    int server;
    boolean storeUp = true;
    LeaseBook book = new LeaseBook();
    /** As a replica has it: the last call is missing. */
    LeaseBook replica = new LeaseBook();

    final List<ModelPeer> peers = new ArrayList<>();

    private ModelWorld(Size size, Faults faults) {
        this.size = size;
        this.faults = faults;
    }

    static ModelWorld start(Size size, Faults faults) {
        ModelWorld w = new ModelWorld(size, faults);
        w.faultsLeft = faults.budget();
        w.now = 1;
        w.server = 1;
        w.book.pressing = false;
        w.replica.pressing = false;
        for (int i = 0; i < size.instances(); i++) {
            ModelPeer p = new ModelPeer(String.valueOf((char) ('a' + i)));
            p.account = w.newAccount(1);
            w.peers.add(p);
        }
        return w;
    }

    private SlotAccount newAccount(long incarnation) {
        LeaseTerms terms = new LeaseTerms(TTL, VALID_FOR, size.fallback(), size.instances());
        return new SlotAccount(terms, incarnation, LimitWord.asStarted(size.limit()));
    }

    ModelWorld copy() {
        ModelWorld w = new ModelWorld(size, faults);
        w.faultsLeft = faultsLeft;
        w.now = now;
        w.server = server;
        w.storeUp = storeUp;
        w.book = book.copy();
        w.replica = faults.stale() ? replica.copy() : w.book;
        peers.forEach(p -> w.peers.add(p.copy()));
        return w;
    }

    private interface Move {
        void of(ModelWorld world, ModelPeer peer);
    }

    private void step(List<Step> to, String what, int peer, Move move) {
        ModelWorld next = copy();
        ModelPeer p = next.peers.get(peer);
        if (p.isAwake()) {
            p.account().pump(next.now, p); // before anything else, as the bucket's loop does
        }
        move.of(next, p);
        to.add(new Step(what + " " + p.name, next));
    }

    private void fault(List<Step> to, String what, int peer, Move move) {
        if (faultsLeft > 0) {
            step(to, what, peer, (w, p) -> {
                w.faultsLeft--;
                move.of(w, p);
            });
        }
    }

    List<Step> next() {
        List<Step> to = new ArrayList<>();
        for (int i = 0; i < peers.size(); i++) {
            ModelPeer p = peers.get(i);
            if (p.isAwake()) {
                actions(to, i, p.account());
                messages(to, i, p);
            }
            carryOut(to, i, p);
            troubles(to, i, p);
        }
        storeTroubles(to);
        if (!someoneIsToTryAgain()) {
            ModelWorld later = copy();
            later.now++;
            to.add(new Step("time passes", later));
        }
        return to;
    }

    /** Who got no answer tries again, and the pause before that is short against a lease. */
    private boolean someoneIsToTryAgain() {
        return storeUp
                && peers.stream()
                        .anyMatch(p -> p.isAwake()
                                && !p.cut
                                && p.account().inFlight == null
                                && (p.account().standing == SlotAccount.Standing.TROUBLED
                                        || p.account().standing == SlotAccount.Standing.FALLBACK));
    }

    private void actions(List<Step> to, int i, SlotAccount a) {
        if (a.held() + a.line + a.withdrawing < size.appetite()) {
            step(to, "wants", i, (w, p) -> {
                p.account().ask(1, Patience.IN_LINE);
                p.outstanding++;
            });
        }
        if (a.held() > 0) {
            step(to, "closes a connection", i, (w, p) -> {
                if (p.account().held() > 0) {
                    p.account().giveBack(1);
                }
            });
        }
        if (a.line > 0) {
            step(to, "withdraws", i, (w, p) -> {
                if (p.account().line > 0) {
                    p.account().withdraw(1);
                }
            });
        }
        // A call that says nothing new only keeps the lease alive: not twice at the same time.
        if (a.inFlight == null && (a.news || a.validUntil < now + VALID_FOR)) {
            step(to, "calls", i, (w, p) -> {
                p.request = p.account().call(w.now);
                if (p.cut || !w.storeUp) {
                    w.giveUp(p);
                } else {
                    w.carryOut(p);
                    if (w.size.swift()) {
                        w.hear(p);
                    }
                }
            });
            if (faults.loss() && size.swift() && storeUp) {
                fault(to, "calls, and the answer takes its time", i, (w, p) -> {
                    p.request = p.account().call(w.now);
                    w.carryOut(p);
                });
            }
            if (faults.ghost()) {
                fault(
                        to,
                        "calls, and the call takes its time",
                        i,
                        (w, p) -> p.request = p.account().call(w.now));
            }
        }
    }

    private void giveUp(ModelPeer p) {
        p.request = null;
        p.reply = null;
        p.account().failed(now, p);
    }

    private void messages(List<Step> to, int i, ModelPeer peer) {
        if (peer.reply != null) {
            step(to, "hears the answer", i, (w, p) -> w.hear(p));
        }
        if (peer.account().inFlight != null && peer.request == null && peer.reply == null) {
            step(to, "finds its call lost", i, (w, p) -> w.giveUp(p));
        }
        if (peer.note != null) {
            step(to, "hears the announcement", i, (w, p) -> w.hearNote(p));
        }
    }

    void startAgain(ModelPeer p) {
        p.account = newAccount(p.nextIncarnation);
    }

    void hear(ModelPeer p) {
        LeaseReply reply = java.util.Objects.requireNonNull(p.reply);
        p.reply = null;
        p.account().answered(reply, now, p);
    }

    void hearNote(ModelPeer p) {
        LeaseBook.Announcement note = java.util.Objects.requireNonNull(p.note);
        p.note = null;
        p.account().announced(note.incarnation(), note.granted(), note.hard(), now, p);
    }

    private void carryOut(List<Step> to, int i, ModelPeer peer) {
        if (!storeUp) {
            return;
        }
        if (peer.request != null) {
            step(to, "is answered", i, (w, p) -> w.carryOut(p));
        }
        if (peer.ghost != null) {
            step(to, "has its old call carried out", i, (w, p) -> {
                LeaseCall ghost = java.util.Objects.requireNonNull(p.ghost);
                p.ghost = null;
                w.decide(p, ghost);
            });
        }
    }

    void carryOut(ModelPeer p) {
        LeaseCall request = java.util.Objects.requireNonNull(p.request);
        p.request = null;
        p.reply = decide(p, request);
    }

    private LeaseReply decide(ModelPeer p, LeaseCall call) {
        if (faults.stale()) {
            replica = book.copy();
        }
        LeaseReply reply = book.lease(p.name, call, "server " + server, false, TTL, now);
        forgetOvertaken();
        for (LeaseBook.Announcement note : book.takeAnnouncements()) {
            for (ModelPeer other : peers) {
                if (other.name.equals(note.to()) && other.account != null) {
                    other.note = note;
                }
            }
        }
        return reply;
    }

    /** An old call that can't change anything any more, whatever happens, need not be followed any further. */
    private void forgetOvertaken() {
        for (ModelPeer p : peers) {
            LeaseBook.Entry e = book.entries.get(p.name);
            LeaseCall ghost = p.ghost;
            boolean isVoid = ghost != null
                    && ghost.form() == LeaseCall.Form.SYNC
                    && (e == null || e.incarnation != ghost.incarnation() || e.seq >= ghost.seq());
            p.ghost = isVoid ? null : ghost;
        }
    }

    private void troubles(List<Step> to, int i, ModelPeer peer) {
        if (faults.crash() && peer.account != null) {
            fault(to, "crashes", i, (w, p) -> {
                if (p.request != null && w.faults.ghost()) {
                    p.ghost = p.request;
                }
                p.request = null;
                p.reply = null;
                p.note = null;
                p.outstanding = 0;
                long next = p.account().incarnation + 3;
                p.account = null;
                p.paused = false;
                p.nextIncarnation = next;
            });
        }
        if (peer.account == null) {
            step(to, "starts again", i, (w, p) -> w.startAgain(p));
        }
        if (faults.pause() && peer.isAwake()) {
            fault(to, "pauses", i, (w, p) -> p.paused = true);
        }
        if (peer.paused) {
            step(to, "wakes", i, (w, p) -> {
                p.paused = false;
                p.account().pump(w.now, p);
            });
        }
        if (faults.loss() && peer.isAwake() && peer.reply != null) {
            fault(to, "loses the answer", i, (w, p) -> w.giveUp(p));
        }
        if (faults.loss() && peer.note != null) {
            fault(to, "loses an announcement", i, (w, p) -> p.note = null);
        }
        if (peer.isAwake() && peer.request != null && peer.ghost == null) {
            step(to, "gives up a call that is still on its way", i, (w, p) -> {
                p.ghost = p.request;
                w.giveUp(p);
            });
        }
        if (faults.cut() && !peer.cut) {
            fault(to, "is cut off", i, (w, p) -> {
                p.cut = true;
                p.note = null;
                if (p.isAwake() && p.account().inFlight != null) {
                    w.giveUp(p);
                }
            });
        }
        if (peer.cut) {
            step(to, "can be reached again", i, (w, p) -> p.cut = false);
        }
    }

    private void storeTroubles(List<Step> to) {
        if (faults.empty()) {
            fault(to, "the store is restarted empty, seen by", 0, (w, p) -> w.restart(new LeaseBook()));
        }
        if (faults.stale()) {
            fault(to, "a replica without the last call takes over, seen by", 0, (w, p) -> w.restart(w.replica.copy()));
        }
        if (faults.outage() && storeUp) {
            fault(to, "the store can't be reached by anyone, not by", 0, (w, p) -> {
                w.storeUp = false;
                for (ModelPeer other : w.peers) {
                    other.note = null;
                    if (other.isAwake() && other.account().inFlight != null) {
                        w.giveUp(other);
                    }
                }
            });
        }
        if (!storeUp) {
            step(to, "the store is back, says", 0, (w, p) -> w.storeUp = true);
        }
    }

    /** Who waits for an answer finds out. A call does not outlive the server it was sent to: clients repeat nothing. */
    private void restart(LeaseBook books) {
        book = books;
        book.pressing = false;
        replica = book.copy();
        server++;
        for (ModelPeer p : peers) {
            p.note = null;
            p.ghost = null;
            if (p.isAwake() && p.account().inFlight != null) {
                giveUp(p);
            } else {
                p.request = null;
            }
        }
    }
}
