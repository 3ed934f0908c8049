package dev.comporta.jdbc.carrier;

import dev.comporta.pool.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * A client's place in the core: taken with a request, free again when the connection is back or the request was refused. Seats
 * are reused, so that a loan allocates none. Guarded by the carrier's lock, except that the waiting thread reads {@link
 * #outcome}.
 */
final class Seat {
    final Waiter waiter = new Waiter(this);

    /** A server connection, or the refusal; null while it waits. */
    volatile @Nullable Object outcome;

    /** The waiting thread; null if the answer came at once. */
    @Nullable
    Thread thread;

    /** The next free seat, while this one is free. */
    @Nullable
    Seat nextFree;

    static Seat of(Waiter waiter) {
        return (Seat) waiter.client();
    }
}
