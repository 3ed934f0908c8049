package dev.comporta.ops.config.log;

/** A part of Comporta that a line of the log is of. All but {@link #AUDIT} can have a level of its own. */
public enum LogPart {
    /** Connections before their login. */
    LISTEN,
    LOGIN,
    /** Buckets, and their server connections. */
    POOL,
    /** Clients that are logged in, and their requests. */
    RELAY,
    FLEET,
    CONSOLE,
    /** Commands of administrators. Written whatever the levels are, so that nobody can command unseen. */
    AUDIT,
    HTTP,
    CONFIG,
    TLS,
    /** Comporta, where it is none of the other parts. */
    INSTANCE,
    /** What others have written. */
    LIBRARIES
}
