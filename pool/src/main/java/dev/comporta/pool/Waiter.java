package dev.comporta.pool;

import dev.comporta.pool.list.Link;
import org.jspecify.annotations.Nullable;

/**
 * A client's place in the queue. One object serves a client for its whole life, one request at a time, so that a
 * request allocates nothing. It also remembers which connection the client used last.
 */
public final class Waiter {
    /** What the client's request is doing. */
    public enum Status {
        /** There is none. */
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

    /** What this client used last. Still its own only while {@link ServerConnection#lastWaiter} points back here. */
    @Nullable
    ServerConnection lastConnection;

    /** When it arrived, in the bucket's time. */
    long arrivedAt;
    /** When it entered the queue: later than its arrival if it was in the lane first. */
    long queuedAt;
    /** Whether it is a login check. */
    boolean login;

    boolean inLane;
    /** In the lane, among those of its login that are held up. */
    boolean isSetAside;

    /** The smallest order is served first: by arrival, or by turns if logins share fairly. */
    long order;

    final Link<Waiter> arrival = new Link<>(this);
    final Link<Waiter> inPool = new Link<>(this);

    /** @param client whatever the carrier wants to find again in {@link Orders#attach} */
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
