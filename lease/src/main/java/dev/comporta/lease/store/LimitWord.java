package dev.comporta.lease.store;

/**
 * A bucket's limit as one instance knows it. The lowest configured limit is in force; but a change at runtime overrides
 * every limit configured before it, so that one instance that is reloaded changes the limit for all.
 *
 * @param max {@code max_connections} as this instance is configured
 * @param version the version of the last change that was known when it was configured so; {@link #UNTOLD} until the store
 *     has reported it
 * @param change the last change this instance knows of, its own or another's: reported again to a store that lost it
 */
public record LimitWord(int max, long version, Change change) {
    public static final long UNTOLD = -1;

    /** A limit that was changed at runtime. Of two changes under one version, made at once, the lower one counts. */
    public record Change(long version, int max) {
        public static final Change NONE = new Change(0, 0);

        private Change or(Change other) {
            if (version == other.version) {
                return max <= other.max ? this : other;
            }
            return version > other.version ? this : other;
        }
    }

    /** The limit as configured when the instance started: not a change, but valid together with the last one. */
    public static LimitWord asStarted(int max) {
        return new LimitWord(max, UNTOLD, Change.NONE);
    }

    public LimitWord changedTo(int newMax) {
        if (version == UNTOLD) {
            return new LimitWord(newMax, UNTOLD, change); // no other instance knows the limit from before
        }
        long next = change.version + 1;
        return new LimitWord(newMax, next, new Change(next, newMax));
    }

    public LimitWord heard(LeaseReply reply) {
        return new LimitWord(max, version == UNTOLD ? reply.ownVersion() : version, change.or(reply.change()));
    }

    /** The limit that this instance itself obeys: as configured, or as changed since then by another. */
    public int effective() {
        return version != UNTOLD && version < change.version ? change.max : max;
    }
}
