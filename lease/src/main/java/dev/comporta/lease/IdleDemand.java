package dev.comporta.lease;

/**
 * The other instances' demand for idle connections, and when to look for some. A demand expires after a while: an instance
 * that still waits repeats it. A state machine without a clock, like {@link SlotAccount}; confined to the bucket's thread.
 */
final class IdleDemand {
    private final long believedFor;
    private final long checkEvery;

    int wanted;
    long believedUntil;
    long checkAt;

    /** Both in units of the caller's clock. */
    IdleDemand(long believedFor, long checkEvery) {
        this.believedFor = believedFor;
        this.checkEvery = checkEvery;
    }

    /** The store reports how many are wanted; 0 for none. */
    void heard(int soft, long now) {
        wanted = soft;
        believedUntil = now + believedFor;
        checkAt = now;
    }

    boolean isDue(long now) {
        if (wanted > 0 && now >= believedUntil) {
            wanted = 0;
        }
        return wanted > 0 && now >= checkAt;
    }

    /** How many idle connections to give up now, beyond those already owed. */
    int take(int idle, int owed, long now) {
        checkAt = now + checkEvery;
        int given = Math.max(0, Math.min(wanted, idle - owed));
        wanted -= given;
        return given;
    }

    long dueAt() {
        return wanted > 0 ? checkAt : CallPacing.NOT_DUE;
    }
}
