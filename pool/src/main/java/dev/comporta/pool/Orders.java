package dev.comporta.pool;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.Refusal;

/**
 * The orders of a bucket, for its carrier to carry out. They are given in the order in which they were made, after the
 * event that caused them is in the books. So the carrier may report further events to this bucket from inside an order:
 * they are handled at once, and their orders follow those already made. An order is given even if such an event has made it
 * pointless: {@code attach} and {@code open} may be followed at once by {@code close}, and an order may concern a
 * connection that was meanwhile reported {@link ConnectionEvents#closed}; then there is nothing to do.
 *
 * <p>An order must not throw. If one does, the orders after it are given with the next event.
 */
public interface Orders {
    /**
     * The waiter has this connection until {@link Bucket#release} or {@link ConnectionEvents#closed}. If one of these was reported
     * already, from inside another order, {@link Waiter#connection} is no longer this one and the client may ask again.
     */
    void attach(Waiter waiter, ServerConnection connection);

    /** The waiter gets no connection. It may ask again. */
    void refuse(Waiter waiter, Refusal why);

    /** Connect and log in; then {@link ConnectionEvents#connected}, {@link ConnectionEvents#opened} or {@link ConnectionEvents#openFailed}. */
    void open(ServerConnection connection);

    /** Close it; report {@link ConnectionEvents#closed} only when the server can no longer count it. */
    void close(ServerConnection connection, CloseReason why);

    /** Roll back and reset the session, then {@link ConnectionEvents#resetDone}; or {@link ConnectionEvents#notResettable}. */
    void reset(ServerConnection connection);

    /** Find out whether it works, then {@link ConnectionEvents#validated}. */
    void validate(ServerConnection connection, HealthSettings.Check how);

    /** A warm-up has ended: the pool has {@code ready} open connections of {@code wanted}. */
    default void warmedUp(Pool pool, int ready, int wanted) {}

    /** The bucket's health changed; {@link Bucket#healthReason} says why. */
    default void healthChanged(Bucket bucket, HealthState health) {}

    /** The server has become full, or has room again; {@link Bucket#fullReason} has its message. */
    default void roomChanged(Bucket bucket, boolean full) {}

    /**
     * A paused bucket is quiesced: no client has a connection, and none is being reset. Once for each pause, unless it ends
     * before.
     */
    default void quiesced(Bucket bucket) {}

    /** A bucket that was removed is empty: nothing is open, no slot is held or asked for. */
    default void drained(Bucket bucket) {}
}
