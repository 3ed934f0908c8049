package dev.comporta.pool.rate;

/**
 * Connect permits granted by the fleet, out of its rate for this moment: asked for when they can be used, and used at once or
 * not at all.
 */
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
        granted = connects;
    }

    /** Unused permits expire with the event that brought them: a connect after it would not be within the fleet's rate. */
    public void lapse() {
        granted = 0;
    }

    /** How many were asked for and not granted yet. */
    public int asked() {
        return asked;
    }

    /** How many permits must be asked for so that this many connections can be opened now. */
    public int ask(int usable) {
        if (!metered) {
            return 0;
        }
        int lacking = Math.max(0, usable - asked);
        asked += lacking;
        return lacking;
    }
}
