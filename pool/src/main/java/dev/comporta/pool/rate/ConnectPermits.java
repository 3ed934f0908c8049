package dev.comporta.pool.rate;

/** Connect permits granted by the fleet: asked for as they are needed, and not kept beyond that. */
public final class ConnectPermits {
    private final boolean metered;
    private int granted;
    private int asked;

    /** @param metered whether there is a fleet to ask; otherwise there are always permits */
    public ConnectPermits(boolean metered) {
        this.metered = metered;
    }

    public boolean isThere() {
        return !metered || granted > 0;
    }

    public void take() {
        if (metered) {
            granted--;
        }
    }

    public void granted(int connects) {
        asked -= Math.min(asked, connects);
        granted += connects;
    }

    /**
     * How many permits must be asked for so that this many connections can be opened. Permits beyond that number expire
     * now: they were granted out of the fleet's rate for this moment.
     */
    public int ask(int waiting) {
        if (!metered) {
            return 0;
        }
        granted = Math.min(granted, waiting);
        int lacking = Math.max(0, waiting - granted - asked);
        asked += lacking;
        return lacking;
    }
}
