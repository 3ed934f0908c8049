package dev.comporta.pool.connection;

/** When a server connection was made, and until when it is of use. */
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
    /** Of the bucket's when it was opened: those of an earlier generation close as they are released. */
    public long generation;
    /** When it was wanted; once logged in, when it was. */
    public long createdAt;
    /** From here on it is not handed out: the guard window before its end has begun. */
    public long handoutUntil = Long.MAX_VALUE;

    public Lifetime(long generation, long now) {
        this.generation = generation;
        createdAt = now;
    }

    public boolean isAging() {
        return age == Age.AGING;
    }
}
