package dev.comporta.jdbc.carrier;

import java.util.concurrent.TimeUnit;

/**
 * Whether most loans are shorter than a wake-up. Then a thread that finds no free connection does better to look again than
 * to park and be woken. Written under the carrier's lock, read by any thread.
 */
final class LoanPace {
    /** The time to park a thread and wake it, which is longer on a busy machine; the fastest query takes longer than this. */
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private static final int CERTAIN = 16;
    /** Four long loans outweigh sixteen short ones: a short loan on which the scheduler took the CPU away looks long, but is rare. */
    private static final int WEIGHT_OF_LONG = 4;

    private int evidence;
    private volatile boolean isShort;

    void ended(long nanos) {
        if (nanos < SHORT_NANOS) {
            evidence = Math.min(evidence + 1, CERTAIN);
        } else {
            evidence = Math.max(evidence - WEIGHT_OF_LONG, 0);
        }
        // With less than certain evidence the verdict stays as it was.
        if (evidence == CERTAIN && !isShort) {
            isShort = true;
        } else if (evidence == 0 && isShort) {
            isShort = false;
        }
    }

    boolean isShort() {
        return isShort;
    }
}
