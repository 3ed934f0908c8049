package dev.comporta.ops.config.auth;

/** Whether the server or the proxy checks a client's credentials. */
public enum AuthMode {
    /** The database: the client's own login is used there. */
    PASSTHROUGH,
    /** Comporta: a service account is used at the database. */
    MAPPED
}
