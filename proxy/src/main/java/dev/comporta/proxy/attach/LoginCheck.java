package dev.comporta.proxy.attach;

import dev.comporta.pool.Waiter;

/**
 * A question to the server: are these credentials good? Asked by opening a connection with them.
 *
 * @param about the pool whose clients wait for the answer
 * @param through the pool in which the connection is opened: the same, or one of its own where there are connections
 *     already, which would prove nothing
 */
record LoginCheck(ServerPool about, ServerPool through) {
    Waiter waiter() {
        return new Waiter(this);
    }
}
