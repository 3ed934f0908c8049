package dev.comporta.jdbc;

/** Is told which servers a registry has. Any thread, and quickly: registering a server waits for it. */
public interface ServerWatch {
    /** May be told of a server that it knows already. */
    void registered(String server);

    /** It has other settings. */
    default void changed(String server) {}

    /** Its connections are about to close. */
    void unregistered(String server);
}
