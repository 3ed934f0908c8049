package dev.comporta.proxy.prepared;

/** Counts what happened to prepared statements in a bucket. Plain fields: the hot path increments them. */
public final class PreparedCounters {
    /** Executions whose server connection had the statement. */
    public long hits;

    /** Executions whose server connection lacked it, so that the statement's text was sent instead. */
    public long asText;

    /** Statements that the proxy has prepared again on another server connection. */
    public long preparedAgain;

    /** Handles that pin their client, because the text is too large, unknown or not to be shared. */
    public long bound;
}
