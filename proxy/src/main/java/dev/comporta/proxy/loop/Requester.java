package dev.comporta.proxy.loop;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.WaiterSnapshot;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.relay.PooledServer;

/**
 * Has asked the pool for a server connection, and is told the outcome: one of the three, once for each request, perhaps
 * before the call has returned. Confined to the bucket's loop.
 */
sealed interface Requester permits SharingRequester, DedicatedRequester, LoginCheck {
    static Requester of(Waiter waiter) {
        return (Requester) waiter.client();
    }

    static Requester of(WaiterSnapshot waiter) {
        return (Requester) waiter.client();
    }

    /** It has this connection, of a pool that is shared. */
    default void attached(PooledServer server) {
        throw new IllegalStateException(this + " is given a shared connection");
    }

    /** It has this connection, of a pool of its own. */
    default void attached(DedicatedServer server) {
        throw new IllegalStateException(this + " is given a connection of its own");
    }

    /** The number of the client that it is; 0 where several wait for one answer. */
    long clientId();

    /** It gets no connection. */
    void refused(Refusal why);

    /** It was given a connection that was lost before it could be told. */
    void lost();
}
