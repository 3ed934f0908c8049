package dev.comporta.ops.config.log;

/** The part of Comporta that a line of the log is about. All parts but {@link #AUDIT} can have a level of their own. */
public enum LogPart {
    /** Connections before their login. */
    LISTEN,
    LOGIN,
    /** Buckets, and their server connections. */
    POOL,
    /** Logged-in clients and their requests. */
    RELAY,
    FLEET,
    CONSOLE,
    /** Commands of administrators. Written at any level, so that no command goes unrecorded. */
    AUDIT,
    HTTP,
    CONFIG,
    TLS,
    /** Everything in Comporta that belongs to no other part. */
    INSTANCE,
    /** Libraries that Comporta uses. */
    LIBRARIES
}
