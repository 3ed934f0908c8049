package dev.comporta.lease;

import dev.comporta.lease.SlotAccount.Standing;

/** What the protocol promises. */
final class ModelPromises {
    private static final int ROUNDS = 40;

    private ModelPromises() {}

    /**
     * Slots that may be used never exceed the limit. When an instance may be the only one that can't reach the store, then,
     * and only then, a fair share comes on top for each, until it is back and those with too many have given some up.
     */
    static void limitHolds(ModelWorld w, boolean someAreAlone) {
        int leased = 0;
        int fallback = 0;
        for (ModelPeer p : w.peers) {
            SlotAccount a = p.account;
            if (a == null || w.now >= a.validUntil) {
                continue;
            }
            if (a.standing == Standing.FALLBACK) {
                check(a.held() <= a.fairShare(), p.name + " holds more than its share in fallback: " + a.held());
                fallback += a.held();
            } else {
                leased += a.held();
            }
        }
        int shares = someAreAlone ? (w.faults.budget() - w.faultsLeft) * (w.size.limit() / w.size.instances()) : 0;
        check(
                leased + fallback <= w.size.limit() + shares,
                leased + " leased and " + fallback + " in fallback, more than the limit and " + shares);
        for (ModelPeer p : w.peers) {
            SlotAccount a = p.account;
            check(a == null || p.outstanding == a.line + a.atOnce + a.withdrawing, p.name + " lost count of its asks");
        }
    }

    /** From here on nothing goes wrong, and who has a connection is done with it: all are served, and no slot is missing. */
    static void allAreServed(ModelWorld w) {
        w.storeUp = true;
        for (ModelPeer p : w.peers) {
            p.cut = false;
            p.paused = false;
            p.ghost = null;
            p.note = null; // even if every announcement is lost
        }
        if (w.peers.stream().allMatch(p -> p.account == null)) {
            w.startAgain(w.peers.getFirst()); // the dead are buried by whoever comes first
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (ModelPeer p : w.peers) {
                if (p.account != null) {
                    goOn(w, p);
                }
            }
            w.now += round % 2;
            limitHolds(w, true);
        }
        for (ModelPeer p : w.peers) {
            SlotAccount a = p.account;
            check(a == null || a.line + a.held() == 0, p.name + " is not served, or can't give back");
            check(a == null || a.standing == Standing.IN_TOUCH, p.name + " did not come back");
        }
        int held =
                w.book.entries.values().stream().mapToInt(LeaseBook.Entry::held).sum();
        check(held == 0, held + " slots are lost");
    }

    private static void goOn(ModelWorld w, ModelPeer p) {
        SlotAccount a = p.account();
        a.pump(w.now, p);
        if (a.held() > 0) {
            a.giveBack(1);
        }
        if (a.inFlight != null && p.request == null && p.reply == null) {
            a.failed(w.now, p);
        }
        if (a.inFlight == null) {
            p.request = a.call(w.now);
        }
        if (p.request != null) {
            w.carryOut(p);
        }
        w.hear(p);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
