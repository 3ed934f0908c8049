package dev.comporta.standin.engine;

/**
 * Which server a stand-in takes after, where they differ in what a client can see. Each habit is one that was seen in the
 * real server's bytes or is documented; what is not told apart here is SQL Server's.
 */
public enum ServerHabits {
    /**
     * SQL Server, of the age that its client's version of the protocol has: below TDS 7.2 it tells nothing of transactions
     * and does not acknowledge a reset.
     */
    SQL_SERVER,

    /**
     * Babelfish 4.3. Tells of transactions only in answer to transaction manager requests, and then whatever came of
     * them; gives messages up to severity 10 the number 0 and the state 1; has no {@code N'…'} in SET LANGUAGE and SET
     * DATEFORMAT, and one language; hears an attention between two requests only; leaves much as it was at a reset: the
     * database, CONTEXT_INFO, the session context, IDENTITY_INSERT, @@TRANCOUNT of a transaction whose work it undoes, and
     * implicit transactions on where ANSI_DEFAULTS was set; takes no bulk load in a session where one has failed; keeps
     * options that the text of a client's call sets, and the temporary tables of every text but a procedure's; sends rows of
     * sp_cursorfetch with one value more than it has described.
     */
    BABELFISH;

    public boolean isBabelfish() {
        return this == BABELFISH;
    }
}
