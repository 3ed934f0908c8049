package dev.comporta.pool.sim;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import java.util.ArrayList;
import java.util.List;

/** A database server of the simulation. It counts its own connections, so that the limit is not checked by the pool's books. */
final class Server {
    final Bucket bucket;
    final int number;
    final List<Pool> pools = new ArrayList<>();
    final List<Tenant> tenants = new ArrayList<>();
    final List<ServerConnection> connections = new ArrayList<>();
    boolean alive = true;
    int mostConnections;
    int mostWaiting;
    int waiting;
    /** The tick that is already in the event queue. */
    long tickAt = Long.MAX_VALUE;

    Server(Bucket bucket, int number) {
        this.bucket = bucket;
        this.number = number;
    }

    void accept(ServerConnection c) {
        connections.add(c);
        mostConnections = Math.max(mostConnections, connections.size());
    }
}
