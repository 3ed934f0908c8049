package dev.comporta.tds.sql;

/**
 * Where a text runs. SQL Server restores SET options and the current database, and drops temporary tables, when a
 * procedure or dynamic text ends; a batch leaves them in the session.
 */
public enum Scope {
    /** A SQL batch: its settings stay in the session. */
    BATCH,
    /** The text of sp_executesql, sp_prepexec and related procedures: its settings end with it, with few exceptions. */
    INNER
}
