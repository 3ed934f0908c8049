package dev.comporta.proxy.relay;

import dev.comporta.proxy.watch.RelayCounters;

/** Told what becomes of a shared server connection as a whole. */
public interface ServerOwner {
    /** It is of no use any more, and is being closed: the server may count it still. */
    void serverBroken(PooledServer server);

    /** The network connection has ended. */
    void serverClosed(PooledServer server);

    /** What a client left running has come to its end. */
    void abandonedEnded(PooledServer server);

    /** Nanoseconds since some moment. */
    long now();

    /** What is counted of the bucket's traffic. */
    RelayCounters counters();
}
