package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.SlotAnswers;

/**
 * What the bucket has asked for and was not answered yet. Each slot asked for is answered once. Part of {@link SlotAccount},
 * and a machine as it is; its answers go out when it is in order, for they may ask and withdraw.
 */
final class SlotAsks {
    /** Wanted, and standing in line. */
    int line;
    /** Of those, the bucket was not yet told that they stand in line. */
    int untold;
    /** Wanted at once. */
    int atOnce;
    /** Not wanted any more, and the store was not yet heard about that. */
    int withdrawing;

    /** Of {@link #untold} and {@link #withdrawing}, what the call in flight tells the store of. */
    int untoldInFlight;

    int withdrawingInFlight;

    void ask(int slots, LeasePort.Patience patience) {
        switch (patience) {
            case IN_LINE -> {
                line += slots;
                untold += slots;
            }
            case AT_ONCE -> atOnce += slots;
        }
    }

    void withdraw(int slots) {
        int fromLine = Math.min(slots, line);
        line -= fromLine;
        untold = Math.min(untold, line);
        atOnce -= Math.min(atOnce, slots - fromLine);
        withdrawing += slots;
    }

    /** A call is sent that tells the store of all this. */
    void told() {
        untoldInFlight = untold;
        withdrawingInFlight = withdrawing;
    }

    /** The store has answered it, and granted so many more. */
    void answered(LeaseCall call, int granted, SlotAnswers out) {
        int queued = Math.min(untoldInFlight, untold);
        int triedAtOnce = Math.min(call.atOnce(), atOnce);

        int toLine = Math.min(granted, line);
        line -= toLine;
        int stillQueued = Math.min(Math.max(0, queued - toLine), line);
        untold = Math.min(untold - Math.min(untold, queued), line);
        int rest = granted - toLine;
        int toOnce = Math.min(rest, atOnce); // also to those that were asked for since: the bucket takes it so
        int denied = Math.max(0, triedAtOnce - toOnce);
        atOnce -= toOnce + denied;
        withdrawing -= Math.min(rest - toOnce, withdrawing); // a grant that crossed its withdrawal
        int gone = Math.min(withdrawingInFlight, withdrawing);
        withdrawing -= gone;

        if (granted > 0) {
            out.granted(granted);
        }
        if (stillQueued > 0) {
            out.queued(stillQueued);
        }
        if (denied > 0) {
            out.denied(denied);
        }
        if (gone > 0) {
            out.withdrawn(gone);
        }
    }

    /** So many slots are there without a call. */
    void granted(int slots, SlotAnswers out) {
        int toLine = Math.min(slots, line);
        line -= toLine;
        untold = Math.min(untold, line);
        int toOnce = Math.min(slots - toLine, atOnce);
        atOnce -= toOnce;
        withdrawing -= Math.min(slots - toLine - toOnce, withdrawing);
        out.granted(slots);
    }

    void denyAtOnce(SlotAnswers out) {
        int denied = atOnce;
        atOnce = 0;
        if (denied > 0) {
            out.denied(denied);
        }
    }

    void denyAll(SlotAnswers out) {
        int denied = line + atOnce;
        line = 0;
        untold = 0;
        atOnce = 0;
        int gone = withdrawing;
        withdrawing = 0;
        if (denied > 0) {
            out.denied(denied);
        }
        if (gone > 0) {
            out.withdrawn(gone);
        }
    }
}
