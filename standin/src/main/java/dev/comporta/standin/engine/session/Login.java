package dev.comporta.standin.engine.session;

/**
 * What LOGIN7 says that matters to the session. Texts are empty when it does not say.
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

    /** A login with nothing special, for tests and embedded use. */
    public static Login of(int spid, String user, String password, String database) {
        return new Login(spid, user, password, database, "", "", "", "", 0, true);
    }

    @Override
    public String toString() {
        return "Login[spid=" + spid + ", user=" + user + ", database=" + database + "]";
    }
}
