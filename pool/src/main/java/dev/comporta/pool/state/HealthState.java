package dev.comporta.pool.state;

/** Whether a bucket's server is believed to accept connections. */
public enum HealthState {
    UP,
    /** Requests are refused at once; after a pause the server is tried. */
    DOWN,
    /** Half open: one connection is being tried; requests are still refused. */
    PROBING
}
