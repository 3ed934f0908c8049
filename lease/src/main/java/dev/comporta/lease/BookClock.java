package dev.comporta.lease;

/** Step <em>clock</em> of the {@link LeaseBook}. */
final class BookClock {
    private BookClock() {}

    /**
     * If the store's clock was set back, all times are set back with it: they would be reached that much later, and until
     * then dead instances would keep their slots. The time between the last call and the change counts as none, so no lease
     * ends early.
     */
    static void step(LeaseBook b, long now) {
        long back = b.clock - now;
        if (b.clock != Long.MIN_VALUE && back > 0) {
            b.opens -= back;
            for (BookEntry e : b.entries) {
                e.until -= back;
                e.since -= back;
                e.idleAt -= back;
                e.toldAt -= back;
            }
        }
        b.clock = now;
    }
}
