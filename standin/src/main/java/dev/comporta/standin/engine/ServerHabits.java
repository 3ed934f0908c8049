package dev.comporta.standin.engine;

/**
 * The server that a stand-in imitates, where servers differ visibly for a client. Each habit was seen in the real server's
 * bytes or is documented; where no difference is made here, the stand-in behaves like SQL Server.
 */
public enum ServerHabits {
    /**
     * SQL Server, of the age of its client's protocol version: below TDS 7.2 it does not report transactions and does not
     * acknowledge a reset.
     */
    SQL_SERVER,

    /**
     * Babelfish 4.3. It reports transactions only in response to transaction manager requests, and then whatever their
     * outcome. It gives messages up to severity 10 the number 0 and the state 1. It has no {@code N'…'} in SET LANGUAGE and
     * SET DATEFORMAT, and one language. It notices an attention between two requests only. Its reset keeps the database,
     * CONTEXT_INFO, the session context, IDENTITY_INSERT, @@TRANCOUNT of a transaction whose work it rolls back, and turns
     * implicit transactions on if ANSI_DEFAULTS was set. It accepts no bulk load in a session where one has failed. It keeps
     * options that the text of a client's call sets, and the temporary tables of every text except a procedure's. It sends
     * rows of sp_cursorfetch with one value more than it has described. It runs a request that its client has withdrawn.
     */
    BABELFISH;

    public boolean isBabelfish() {
        return this == BABELFISH;
    }
}
