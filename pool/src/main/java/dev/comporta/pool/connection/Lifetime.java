package dev.comporta.pool.connection;

/** When a server connection was made, and until when clients may get it. */
public final class Lifetime {
    /** How a connection counts for the stock. */
    public enum Age {
        /** Not logged in yet. */
        UNBORN,
        FRESH,
        /** A replacement is due: it is not counted as stock any more, though it still serves. */
        AGING
    }

    public Age age = Age.UNBORN;
    /** The bucket's generation when it was opened: connections of an earlier one close when they are released. */
    public long generation;
    /** When it was wanted; after its login, the time of the login. */
    public long createdAt;
    /** From this time on no client gets it: its guard window has begun. */
    public long handoutUntil = Long.MAX_VALUE;

    public Lifetime(long generation, long now) {
        this.generation = generation;
        createdAt = now;
    }

    public boolean isAging() {
        return age == Age.AGING;
    }
}
