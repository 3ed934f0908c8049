package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.relay.response.TransactionTracker;

/**
 * What a server says it is, asked once after the login. Over TDS 7.1 SQL Server reports as little as other servers do, so
 * silence does not distinguish them.
 */
public enum ServerMake {
    /** Its reset clears the session context and CONTEXT_INFO, as documented. */
    SQL_SERVER,
    /** Babelfish, or a server that does not say: what its reset clears is not assumed. */
    OTHER;

    /** 0 for SQL Server. Babelfish can be configured to say that it is SQL Server, but even then has its own version. */
    static final String QUESTION = "CASE WHEN @@VERSION LIKE 'Microsoft SQL%'"
            + " AND SERVERPROPERTY('BabelfishVersion') IS NULL THEN 0 ELSE 1 END";

    /**
     * As {@link TransactionTracker#PROBE}, but answered by 0 only if neither a session context nor CONTEXT_INFO was ever set
     * on the connection. Babelfish keeps both over a reset. SESSION_CONTEXT(NULL) is NULL there until the first key is set,
     * and afterwards an error, which would roll a transaction back: so it is not evaluated inside one.
     */
    public static final String CONTEXT_PROBE = "SELECT CASE WHEN @@TRANCOUNT > 0 THEN @@TRANCOUNT"
            + " WHEN CONTEXT_INFO() IS NULL AND SESSION_CONTEXT(NULL) IS NULL THEN 0 ELSE -1 END";
}
