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

    /** LOGIN7 has come, and its bytes are held no more. */
    void ended();
}
