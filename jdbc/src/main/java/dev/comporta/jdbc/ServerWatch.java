package dev.comporta.jdbc;

/** Receives the changes of a registry's servers. Called on any thread; must be quick: registering a server waits for it. */
public interface ServerWatch {
    /** A server was registered. May be called for a server that is known already. */
    void registered(String server);

    /** The server's settings were changed. */
    default void changed(String server) {}

    /** The server was unregistered: its connections are about to close. */
    void unregistered(String server);
}
