package dev.comporta.pool.lease;

/** Slots of buckets that share their limit with no other instance: every ask is granted at once. */
public final class LocalLeases implements LeasePort {
    private int out;

    /** Slots granted and not given back. */
    public int out() {
        return out;
    }

    @Override
    public int ask(int slots, Patience patience) {
        out += slots;
        return slots;
    }

    @Override
    public void withdraw(int slots) {
        throw new IllegalStateException("every ask was granted at once: there is nothing to withdraw");
    }

    @Override
    public void giveBack(int slots) {
        out -= slots;
    }
}
