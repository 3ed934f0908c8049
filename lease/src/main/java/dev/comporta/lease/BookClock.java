package dev.comporta.lease;

/** Step <em>clock</em> of the {@link LeaseBook}. */
final class BookClock {
    /** A smaller step back only delays what is due. Where a clock goes back and forth, small steps would end leases early. */
    private static final long STEP = 1000;

    private BookClock() {}

    /**
     * If the store's clock was set back, all times are set back with it: they would be reached that much later, and until
     * then dead instances would keep their slots. The time between the last call and the change counts as none, so no lease
     * ends early.
     */
    static void step(LeaseBook b, long now) {
        long back = b.clock - now;
        if (b.clock != Long.MIN_VALUE && back > STEP) {
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
