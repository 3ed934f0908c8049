package dev.comporta.proxy.login;

/** Hears how far a connection has come with its login. Called on the connection's loop. */
public interface LoginProgress {
    /** Another step is done: PRELOGIN, or the TLS handshake. */
    void progressed();

    /** LOGIN7 has come, and its bytes are held no more. */
    void ended();
}
