package dev.comporta.proxy.prepared;

/**
 * Settings that a session must share with the one in which a statement was prepared; otherwise the server refuses to execute
 * it (error 586). The user's default schema is another, but it follows from the login and the database.
 *
 * @param database empty for the login's
 */
public record PreparedIn(String database, boolean ansiNulls, boolean quotedIdentifier) {}
