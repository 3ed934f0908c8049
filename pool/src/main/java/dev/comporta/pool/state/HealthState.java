package dev.comporta.pool.state;

/** What is thought of a bucket's server. */
public enum HealthState {
    UP,
    /** Requests are refused at once; after a pause the server is tried. */
    DOWN,
    /** Half open: one connection is being tried; requests are still refused. */
    PROBING
}
