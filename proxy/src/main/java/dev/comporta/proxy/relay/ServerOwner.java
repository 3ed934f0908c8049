package dev.comporta.proxy.relay;

import dev.comporta.proxy.watch.RelayCounters;

/** Receives what happens to a shared server connection as a whole. */
public interface ServerOwner {
    /** The connection is unusable and is being closed; the server may count it still. */
    void serverBroken(PooledServer server);

    /** The network connection has ended. */
    void serverClosed(PooledServer server);

    /** The request that a client left running has ended. */
    void abandonedEnded(PooledServer server);

    /** The time of the bucket's clock, in nanoseconds. */
    long now();

    /** The counters of the bucket's traffic. */
    RelayCounters counters();
}
