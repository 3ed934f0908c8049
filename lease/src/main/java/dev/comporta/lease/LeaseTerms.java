package dev.comporta.lease;

/**
 * How long a lease lasts, and what an instance may do without one. In units of the caller's clock.
 *
 * @param timeToLive by the store's clock: this long after its last call an instance is dead
 * @param validFor by the instance's own clock: this long after it sent the last call that was answered, its lease expires.
 *     Shorter, so that it stops before the store gives its slots to others, even if the clocks run at different rates
 * @param fallback whether an instance goes on with its fair share while the store can't be reached
 * @param divisor the smallest number of instances to assume
 */
record LeaseTerms(long timeToLive, long validFor, boolean fallback, int divisor) {
    LeaseTerms {
        if (validFor >= timeToLive || validFor <= 0) {
            throw new IllegalArgumentException("A lease of " + timeToLive + " can't be relied on for " + validFor);
        }
    }

    /** The presumed number of instances, if this many were last seen. */
    int fleet(int seen) {
        return Math.max(divisor, seen);
    }
}
