package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.SlotAnswers;

/**
 * The slots that the bucket has asked for and that are not answered yet. Each is answered once. Part of {@link SlotAccount}, and
 * a state machine like it. Answers are passed on when it is consistent, because they may ask and withdraw.
 */
final class SlotAsks {
    /** Wanted, and waiting in line. */
    int line;
    /** How many of them are not reported to the bucket as queued yet. */
    int unreported;
    /** Wanted at once. */
    int atOnce;
    /** No longer wanted, and the store has not answered that yet. */
    int withdrawing;

    /** How many of {@link #unreported} and {@link #withdrawing} the call in flight contains. */
    int unreportedInFlight;

    int withdrawingInFlight;

    void ask(int slots, LeasePort.Patience patience) {
        switch (patience) {
            case IN_LINE -> {
                line += slots;
                unreported += slots;
            }
            case AT_ONCE -> atOnce += slots;
        }
    }

    void withdraw(int slots) {
        int fromLine = Math.min(slots, line);
        line -= fromLine;
        unreported = Math.min(unreported, line);
        atOnce -= Math.min(atOnce, slots - fromLine);
        withdrawing += slots;
    }

    /** A call that contains all of this was sent. */
    void sent() {
        unreportedInFlight = unreported;
        withdrawingInFlight = withdrawing;
    }

    /** The store has answered that call, and granted this many more. */
    void answered(LeaseCall call, int granted, SlotAnswers out) {
        int queued = Math.min(unreportedInFlight, unreported);
        int triedAtOnce = Math.min(call.atOnce(), atOnce);

        int toLine = Math.min(granted, line);
        line -= toLine;
        int stillQueued = Math.min(Math.max(0, queued - toLine), line);
        unreported = Math.min(unreported - Math.min(unreported, queued), line);
        int rest = granted - toLine;
        int toOnce = Math.min(rest, atOnce); // also those asked for since then: the bucket does not distinguish them
        int denied = Math.max(0, triedAtOnce - toOnce);
        atOnce -= toOnce + denied;
        withdrawing -= Math.min(rest - toOnce, withdrawing); // granted before the withdrawal reached the store
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

    /** This many slots were granted, but not by an answer to a call. */
    void granted(int slots, SlotAnswers out) {
        int toLine = Math.min(slots, line);
        line -= toLine;
        unreported = Math.min(unreported, line);
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
        unreported = 0;
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
