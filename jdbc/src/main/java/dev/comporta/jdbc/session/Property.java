package dev.comporta.jdbc.session;

/** What a client can change on a connection by JDBC, and what is put back when it returns the connection. */
public enum Property {
    READ_ONLY,
    ISOLATION,
    CATALOG,
    SCHEMA,
    HOLDABILITY,
    NETWORK_TIMEOUT,
    CLIENT_INFO,
    TYPE_MAP,
    /** Last: to put others back inside a transaction would fail, or be undone. */
    AUTO_COMMIT
}
