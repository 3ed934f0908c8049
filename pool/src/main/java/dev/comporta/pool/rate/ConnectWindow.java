package dev.comporta.pool.rate;

/**
 * How many connects the server may see within one second, counted in cells of time. The server sees a connect after a short
 * delay, which differs from one to the next: so each counts for a second and {@link #MARGIN_NANOS}, up to the end of its cell.
 */
public final class ConnectWindow {
    /**
     * The most by which these delays may differ: the time for a thread to run, a name to be resolved and a packet to
     * arrive. It costs a twentieth of the rate under constant demand.
     */
    public static final long MARGIN_NANOS = 50_000_000L;

    /** For how long a connect that is ordered now counts. */
    public static final long COUNTS_NANOS = 1_000_000_000L + MARGIN_NANOS;

    /** These cells waste a hundredth of the rate. Finer ones would waste less, but there would be more of them. */
    private static final long CELL_NANOS = 10_000_000L;

    /** The cell of this moment, which has not ended, and those before it that count. */
    private static final int CELLS = (int) (COUNTS_NANOS / CELL_NANOS) + 1;

    private final int[] cells = new int[CELLS];
    /** The number of the latest cell, since time 0. */
    private long latest;

    private int inAll;
    private int most;

    /** Connects counted before still count. */
    void configure(int perSecond) {
        most = perSecond;
    }

    int available(long now) {
        advance(now);
        return Math.max(0, most - inAll);
    }

    void count(long now) {
        advance(now);
        cells[place(latest)]++;
        inAll++;
    }

    /** When this many will be available; it may be in the past. */
    long whenAvailable(int connects) {
        int tooMany = inAll + connects - most;
        long cell = latest - CELLS;
        while (tooMany > 0) {
            cell++;
            tooMany -= cells[place(cell)];
        }
        return (cell + CELLS) * CELL_NANOS;
    }

    private void advance(long now) {
        long cell = Math.floorDiv(now, CELL_NANOS);
        long over = Math.min(cell - latest, CELLS);
        for (int i = 1; i <= over; i++) {
            int place = place(latest + i);
            inAll -= cells[place];
            cells[place] = 0;
        }
        latest = Math.max(latest, cell);
    }

    private static int place(long cell) {
        return Math.floorMod(cell, CELLS);
    }
}
