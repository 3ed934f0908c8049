package dev.comporta.proxy.login;

/** Hears how far a connection has come with its login. Called on the connection's loop. */
public interface LoginProgress {
    /** Another step is done: PRELOGIN, or the TLS handshake. */
    void progressed();

    /**
     * Runs {@code begin} when the TLS handshake may begin: at once, or when its turn comes, and nothing is read from the
     * connection until then. The next step that is done ends the turn.
     */
    void beforeHandshake(Runnable begin);

    /**
     * LOGIN7 has come: the connection is pending no more.
     *
     * @param kept how many of its bytes are held until the login is judged
     */
    void ended(int kept);

    /** The client is let in, and its LOGIN7 is held no more. On whatever loop the connection is on by then. */
    void judged();
}
