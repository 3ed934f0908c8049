package dev.comporta.pool.lease;

/**
 * What a lease store answers. Each slot asked for is answered once: granted, denied or, after a withdrawal, withdrawn. One
 * that may wait and is not free yet is queued first.
 */
public interface SlotAnswers {
    void granted(int slots);

    /** None is free for so many of the slots asked for: they wait in the fleet's line. */
    void queued(int slots);

    /** So many of the slots asked for are not available, and don't wait in line. */
    void denied(int slots);

    /** So many of the slots that were not needed any more have left the line. */
    void withdrawn(int slots);

    /** The lease of so many slots has ended: idle connections close now, others when their clients release them. */
    void revoked(int slots);

    /** The fleet wants so many slots back: the longest idle connections close now, else the next to be released. */
    void demanded(int slots);
}
