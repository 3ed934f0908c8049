package dev.comporta.pool.state;

/** Whether a bucket's server is believed to accept connections. */
public enum HealthState {
    UP,
    /** Requests that no open connection can serve wait or are refused, by {@code when_down}; after a pause the server is tried. */
    DOWN,
    /** Half open: one connection is being tried; for requests it is still down. */
    PROBING
}
