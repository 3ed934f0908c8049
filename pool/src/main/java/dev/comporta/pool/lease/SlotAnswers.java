package dev.comporta.pool.lease;

/**
 * The answers of a lease store. Each slot that was asked for is answered once: granted, denied or, after a withdrawal,
 * withdrawn. A slot that is not free yet, and may wait, is reported as queued first.
 */
public interface SlotAnswers {
    void granted(int slots);

    /** This many of the slots that were asked for are not free, and wait in the fleet's line. */
    void queued(int slots);

    /** This many of the slots that were asked for are not available, and do not wait in line. */
    void denied(int slots);

    /** This many of the slots that were no longer needed have left the line. */
    void withdrawn(int slots);

    /** The lease of this many slots has expired: idle connections close now, others when their clients release them. */
    void revoked(int slots);

    /** The fleet demands this many slots: the connections idle longest close now, or else the next to be released. */
    void demanded(int slots);
}
