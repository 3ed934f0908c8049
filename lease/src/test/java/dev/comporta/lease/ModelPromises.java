package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.SlotAccount.Standing;

/** What the protocol promises of every state. */
final class ModelPromises {
    private ModelPromises() {}

    /**
     * Slots that may be used never exceed the limit. When an instance may be the only one that can't reach the store, then,
     * and only then, a fair share comes on top for each, until it is back and those with too many have given some up.
     */
    static void limitHolds(ModelWorld w) {
        int usable = 0;
        for (ModelPeer p : w.peers) {
            SlotAccount a = p.account;
            if (a == null) {
                continue;
            }
            if (w.now < a.validUntil) {
                usable += a.usable();
                check(
                        a.standing != Standing.FALLBACK || a.usable() <= a.fairShare(),
                        p,
                        "holds more than its share in fallback");
            }
            check(p.outstanding == a.asks.line + a.asks.atOnce + a.asks.withdrawing, p, "lost count of its asks");
            check(a.outlived == p.outlived, p, "does not know what is open beyond its lease");
            check(a.outlived >= 0 && p.idle >= 0 && p.idle <= a.usable(), p, "holds less than nothing");
            check(a.owed >= 0 && a.owed <= a.usable(), p, "owes what it does not hold");
        }
        if (usable > w.setting.limit() + beyond(w)) {
            throw new AssertionError(usable + " slots can be used, more than the limit and " + beyond(w));
        }
    }

    private static int beyond(ModelWorld w) {
        ModelSetting s = w.setting;
        boolean someMayBeAlone = s.has(Fault.CUT) || s.has(Fault.LOSS) || s.has(Fault.GHOST);
        return someMayBeAlone ? (s.budget() - w.faultsLeft) * s.share() : 0;
    }

    private static void check(boolean holds, ModelPeer p, String otherwise) {
        if (!holds) {
            throw new AssertionError(p.name + " " + otherwise);
        }
    }
}
