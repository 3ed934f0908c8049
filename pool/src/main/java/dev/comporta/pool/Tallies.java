package dev.comporta.pool;

import dev.comporta.pool.stats.Histogram;

/** What happened in a bucket, its pools' {@link Counters} apart. Plain fields: the hot path increments them. */
final class Tallies {
    final long createdAt;
    /** The latest request or release: unlike the latest event, none of our own making. */
    long lastActivityAt;

    final Histogram wait = new Histogram();
    /** How long those waited that left or were refused. */
    final Histogram waitInVain = new Histogram();

    final Histogram attach = new Histogram();
    final Histogram connect = new Histogram();
    final Histogram life = new Histogram();
    final Histogram query = new Histogram();
    final EnumCounts<Refusal> refused = new EnumCounts<>(Refusal.values());
    final EnumCounts<CloseReason> closed = new EnumCounts<>(CloseReason.values());
    final EnumCounts<OpenFailure> openFailures = new EnumCounts<>(OpenFailure.values());
    final EnumCounts<PinReason> pinned = new EnumCounts<>(PinReason.values());
    final EnumCounts<PinReason> pinnedNanos = new EnumCounts<>(PinReason.values());
    /** Connections the reservoir opened, and failed to. */
    long refills;

    long refillFailures;

    Tallies(long now) {
        createdAt = now;
        lastActivityAt = now;
    }
}
