package dev.comporta.tds.sql;

/**
 * Where a text runs. SQL Server puts SET options and the current database back, and drops temporary tables, when a
 * procedure or dynamic text ends; a batch leaves them in the session.
 */
public enum Scope {
    /** A SQL batch: what it sets, stays. */
    BATCH,
    /** The text of sp_executesql, sp_prepexec and their kin: what it sets ends with it, with few exceptions. */
    INNER
}
