package dev.comporta.standin.engine.session;

/**
 * The fields of LOGIN7 that matter to the session. Omitted texts are empty.
 *
 * @param odbc fODBC: the server sets the ANSI options
 */
public record Login(
        int spid,
        String user,
        String password,
        String database,
        String host,
        String program,
        String clientInterface,
        String language,
        int processId,
        boolean odbc) {

    /** A plain login, for tests and embedded use. */
    public static Login of(int spid, String user, String password, String database) {
        return new Login(spid, user, password, database, "", "", "", "", 0, true);
    }

    @Override
    public String toString() {
        return "Login[spid=" + spid + ", user=" + user + ", database=" + database + "]";
    }
}
