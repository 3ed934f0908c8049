package dev.comporta.pool;

import dev.comporta.pool.list.Chain;
import dev.comporta.pool.state.ConnectionState;
import org.jspecify.annotations.Nullable;

/**
 * The ready connections of one pool, last used on top. Serving from the top keeps the others idle, so that a pool that
 * needs fewer shrinks.
 */
final class IdleStack {
    /** How many connections are compared for their session state: enough to find a match at a bounded cost for each request. */
    private static final int COMPARED = 16;

    /** The connections in the order of their last use. */
    private final Chain<ServerConnection> byUse = new Chain<>();

    int size() {
        return byUse.size();
    }

    @Nullable
    ServerConnection top() {
        return byUse.last();
    }

    /** Inserts it by the time of its last use: on top, unless it comes from a check while it was idle. */
    void add(ServerConnection c) {
        byUse.add(c.inStack, c.idleSince);
    }

    void remove(ServerConnection c) {
        byUse.remove(c.inStack);
    }

    /**
     * The connection that this client used last, if no other client used it since; else the one whose session is nearest to
     * the state that the client wants; among equals the one used last.
     */
    @Nullable
    ServerConnection best(Waiter w, Pool pool, SessionDistance distance) {
        ServerConnection own = w.lastConnection;
        if (own != null && own.lastWaiter == w && own.state == ConnectionState.READY && own.pool == pool) {
            return own;
        }
        ServerConnection best = top();
        int nearest = Integer.MAX_VALUE;
        ServerConnection c = best;
        for (int i = 0; i < COMPARED && c != null; i++) {
            int apart = apart(w, c, distance);
            if (apart == 0) {
                return c;
            }
            if (apart < nearest) {
                nearest = apart;
                best = c;
            }
            c = c.inStack.before();
        }
        return best;
    }

    /** How far the connection's session is from the state that the client wants. */
    @SuppressWarnings("ReferenceEquality") // the same object is the same state: no distance to ask for
    static int apart(Waiter w, ServerConnection c, SessionDistance distance) {
        return w.wantedState == c.session.state ? 0 : distance.between(w.wantedState, c.session.state);
    }
}
