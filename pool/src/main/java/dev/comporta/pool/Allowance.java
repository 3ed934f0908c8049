package dev.comporta.pool;

/** The fleet's leave to connect: asked for as it is needed, and not kept beyond that. */
final class Allowance {
    private final boolean metered;
    private int allowed;
    private int asked;

    /** @param metered whether there is a fleet to ask; otherwise there is always leave */
    Allowance(boolean metered) {
        this.metered = metered;
    }

    boolean isThere() {
        return !metered || allowed > 0;
    }

    void take() {
        if (metered) {
            allowed--;
        }
    }

    void allowed(int connects) {
        asked -= Math.min(asked, connects);
        allowed += connects;
    }

    /** How many must be asked for so that so many can connect. What none of them needs lapses: it was for now. */
    int ask(int waiting) {
        if (!metered) {
            return 0;
        }
        allowed = Math.min(allowed, waiting);
        int lacking = Math.max(0, waiting - allowed - asked);
        asked += lacking;
        return lacking;
    }
}
