package dev.comporta.proxy.login;

/** Receives the steps of a connection's login. Called on the connection's loop. */
public interface LoginProgress {
    /** Another step has completed: PRELOGIN, or the TLS handshake. */
    void progressed();

    /**
     * Runs {@code begin} when the TLS handshake may begin: at once, or when its turn comes. Until then nothing is read from
     * the connection. The next completed step ends the turn.
     */
    void beforeHandshake(Runnable begin);

    /**
     * LOGIN7 was received: the login is no longer pending.
     *
     * @param kept the bytes of it that are held until the login is decided
     */
    void ended(int kept);

    /** The client is admitted, and its LOGIN7 is no longer held. Called on the loop that the connection is on by then. */
    void judged();
}
