package dev.comporta.pool;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.Refusal;

/**
 * What the carrier of a bucket has to do. Orders are given after the event that caused them is entered in the books, in
 * the order of their making. So the carrier may feed further events, on this bucket, from inside an order: they are
 * handled at once, and their orders come after those already made. An order that was overtaken by such an event is not
 * withheld: {@code attach} and {@code open} may be followed at once by {@code close}, and an order may concern a
 * connection that was meanwhile reported {@link Bucket#closed}: then there is nothing left to do.
 *
 * <p>An order must not throw. One that does leaves those after it to be given with the next event.
 */
public interface Orders {
    /**
     * The waiter has its connection, until {@link Bucket#release} or {@link Bucket#closed}. If that was said already, from
     * inside another order, {@link Waiter#connection} is not this one any more and the client may ask again.
     */
    void attach(Waiter waiter, ServerConnection connection);

    /** The waiter gets none. It may ask again. */
    void refuse(Waiter waiter, Refusal why);

    /** Connect and log in; then {@link Bucket#connected}, {@link Bucket#opened} or {@link Bucket#openFailed}. */
    void open(ServerConnection connection);

    /** Close it, then {@link Bucket#closed}: not before the server can no longer count it. */
    void close(ServerConnection connection, CloseReason why);

    /** Roll back and reset the session, then {@link Bucket#resetDone}. */
    void reset(ServerConnection connection);

    /** Find out whether it works, then {@link Bucket#validated}. */
    void validate(ServerConnection connection, HealthSettings.Check how);

    /** A warm-up asked for is over: the pool has {@code ready} open connections of {@code wanted}. */
    default void warmedUp(Pool pool, int ready, int wanted) {}

    /** The bucket's health changed; {@link Bucket#healthReason} says why. */
    default void healthChanged(Bucket bucket, HealthState health) {}

    /** A bucket that was removed is empty: nothing is open, no slot is held or asked for. */
    default void drained(Bucket bucket) {}
}
