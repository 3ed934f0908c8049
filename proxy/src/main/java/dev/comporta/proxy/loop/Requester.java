package dev.comporta.proxy.loop;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.WaiterSnapshot;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.relay.PooledServer;

/**
 * Requests server connections from the pool core, and receives the result of each request: exactly one of attached, refused
 * and lost, possibly before the request call has returned. Confined to the bucket's loop.
 */
sealed interface Requester permits SharingRequester, DedicatedRequester, LoginCheck {
    static Requester of(Waiter waiter) {
        return (Requester) waiter.client();
    }

    static Requester of(WaiterSnapshot waiter) {
        return (Requester) waiter.client();
    }

    /** The request got this connection, of a shared pool. */
    default void attached(PooledServer server) {
        throw new IllegalStateException(this + " is given a shared connection");
    }

    /** The request got this connection, of a pool of its own. */
    default void attached(DedicatedServer server) {
        throw new IllegalStateException(this + " is given a connection of its own");
    }

    /** The client's number; 0 where several clients wait for one result. */
    long clientId();

    /** The request gets no connection. */
    void refused(Refusal why);

    /** The request got a connection that was lost before it could be handed over. */
    void lost();
}
