package dev.comporta.lease;

/**
 * How long a lease lasts, and what holds without one. In units of the caller's clock.
 *
 * @param timeToLive from the store's view: so long after the last call an instance is dead
 * @param validFor from the instance's own view: so long after the sending of the last call that was answered. Shorter, so
 *     that it stops before the store gives its slots to others, whatever the two clocks' rates
 * @param fallback whether an instance goes on with its fair share while the store can't be reached
 * @param divisor how many instances there may be, at least
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
