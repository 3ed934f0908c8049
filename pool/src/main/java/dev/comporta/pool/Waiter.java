package dev.comporta.pool;

import dev.comporta.pool.list.Link;
import org.jspecify.annotations.Nullable;

/**
 * A client's place in the queue. One object serves a client for its whole life, one request at a time, so that a
 * request allocates nothing. It also remembers which connection the client used last.
 */
public final class Waiter {
    /** The state of the client's request. */
    public enum Status {
        /** The client has no request. */
        IDLE,
        WAITING,
        /** It has a server connection. */
        ATTACHED
    }

    private final Object client;

    Status status = Status.IDLE;

    @Nullable
    Pool pool;

    @Nullable
    Object wantedState;

    @Nullable
    ServerConnection connection;

    /** The connection that this client used last. Kept for it only while {@link ServerConnection#lastWaiter} points back here. */
    @Nullable
    ServerConnection lastConnection;

    /** When it arrived, in the bucket's time. */
    long arrivedAt;
    /** When it entered the queue: later than its arrival if it was in the lane first. */
    long queuedAt;
    /** Whether it is a login check. */
    boolean login;

    boolean inLane;
    /** Whether it is in the lane, set aside while its login is at its limit. */
    boolean isSetAside;

    /** The smallest order is served first: by arrival, or by turns if logins share fairly. */
    long order;

    final Link<Waiter> arrival = new Link<>(this);
    final Link<Waiter> inPool = new Link<>(this);

    /** @param client the carrier's own object for the client, which it finds again in {@link Orders#attach} */
    public Waiter(Object client) {
        this.client = client;
    }

    public Object client() {
        return client;
    }

    public Status status() {
        return status;
    }

    /** The connection this client has now. */
    public @Nullable ServerConnection connection() {
        return connection;
    }
}
