package dev.comporta.pool;

/**
 * Slots of buckets that have no fleet: there is nobody to share a limit with, and a bucket itself never asks beyond its
 * own. Answers from inside the call.
 */
public final class LocalLeases implements LeasePort {
    private int out;

    /** Slots that are out, of all buckets. */
    public int out() {
        return out;
    }

    @Override
    public void ask(Bucket bucket, int slots, Patience patience) {
        out += slots;
        bucket.slotsGranted(slots, bucket.now());
    }

    @Override
    public void withdraw(Bucket bucket, int slots) {
        throw new IllegalStateException("Every ask was answered at once: there is nothing to withdraw");
    }

    @Override
    public void giveBack(Bucket bucket, int slots) {
        out -= slots;
    }
}
