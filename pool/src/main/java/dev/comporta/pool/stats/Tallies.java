package dev.comporta.pool.stats;

import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;

/** The statistics of a bucket, except its pools' {@link Counters}. Plain fields: the hot path increments them. */
public final class Tallies {
    public final long createdAt;
    /** The latest request or release of a client. */
    public long lastActivityAt;

    public final Histogram wait = new Histogram();
    /** How long requests waited that were cancelled or refused. */
    public final Histogram waitInVain = new Histogram();

    public final Histogram attach = new Histogram();
    public final Histogram connect = new Histogram();
    public final Histogram query = new Histogram();
    public final Histogram firstByte = new Histogram();
    public final EnumCounts<Refusal> refused = new EnumCounts<>(Refusal.values());
    public final EnumCounts<CloseReason> closed = new EnumCounts<>(CloseReason.values());
    public final EnumCounts<OpenFailure> openFailures = new EnumCounts<>(OpenFailure.values());
    public final EnumCounts<PinReason> pinned = new EnumCounts<>(PinReason.values());
    public final EnumCounts<PinReason> pinnedNanos = new EnumCounts<>(PinReason.values());
    /** Connections that the reservoir opened, and failed to open. */
    public long refills;

    public long refillFailures;

    public Tallies(long now) {
        createdAt = now;
        lastActivityAt = now;
    }
}
