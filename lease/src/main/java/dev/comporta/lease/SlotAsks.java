package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.SlotAnswers;

/**
 * What the bucket has asked for, and was not answered yet. Each slot that was asked for is answered once. Part of {@link
 * SlotAccount}, and a machine like it. Answers are passed on when it is consistent, as they may ask and withdraw.
 */
final class SlotAsks {
    /** Wanted, and waiting in line. */
    int line;
    /** Of those, not reported to the bucket as queued yet. */
    int untold;
    /** Wanted at once. */
    int atOnce;
    /** No longer wanted, and the store has not answered that yet. */
    int withdrawing;

    /** Of {@link #untold} and {@link #withdrawing}, what the call in flight contains. */
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

    /** A call with all this is sent. */
    void told() {
        untoldInFlight = untold;
        withdrawingInFlight = withdrawing;
    }

    /** The store has answered it, and granted this many more. */
    void answered(LeaseCall call, int granted, SlotAnswers out) {
        int queued = Math.min(untoldInFlight, untold);
        int triedAtOnce = Math.min(call.atOnce(), atOnce);

        int toLine = Math.min(granted, line);
        line -= toLine;
        int stillQueued = Math.min(Math.max(0, queued - toLine), line);
        untold = Math.min(untold - Math.min(untold, queued), line);
        int rest = granted - toLine;
        int toOnce = Math.min(rest, atOnce); // those asked for since too: the bucket does not distinguish them
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

    /** This many slots are granted without a call. */
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
