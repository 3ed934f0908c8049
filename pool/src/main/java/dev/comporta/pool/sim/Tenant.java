package dev.comporta.pool.sim;

import dev.comporta.pool.Pool;
import dev.comporta.pool.Waiter;

/** An application: thinks, calls, waits for the answer. */
final class Tenant {
    final Server server;
    final Pool pool;
    final Waiter waiter = new Waiter(this);

    Tenant(Server server, Pool pool) {
        this.server = server;
        this.pool = pool;
    }
}
