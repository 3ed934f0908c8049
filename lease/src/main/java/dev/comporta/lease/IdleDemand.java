package dev.comporta.lease;

/**
 * What others want of our idle connections, and when to look for some. A wish is believed for a while only: who still
 * waits then says so again. A machine without clock, as {@link SlotAccount} is; confined to the bucket's thread.
 */
final class IdleDemand {
    private final long believedFor;
    private final long checkEvery;

    int wanted;
    long believedUntil;
    long checkAt;

    /** In units of the caller's clock. */
    IdleDemand(long believedFor, long checkEvery) {
        this.believedFor = believedFor;
        this.checkEvery = checkEvery;
    }

    /** The store said how many are wanted, which may be none. */
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

    /** How many of the idle ones are to be given up now, when so many are owed already. */
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
