package dev.comporta.proxy.dedicated;

import dev.comporta.pool.Waiter;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.session.ProxyError;

/** The bucket, as clients with dedicated server connections see it. */
public interface DedicatedBroker {
    /** The client's waiter, for its whole life. */
    Waiter waiter(DedicatedClient client);

    /** The client has disconnected while it waited. */
    void gaveUp(DedicatedClient client);

    /** The server has accepted the client's login, or rejected its credentials. */
    void judged(DedicatedClient client, boolean accepted);

    /** The client has released its connection, which must be closed: no other client can use it. */
    void done(DedicatedServer server);

    /** The connection is unusable and is being closed; the server may count it still. */
    void serverBroken(DedicatedServer server);

    /** The network connection to the server has ended. */
    void serverClosed(DedicatedServer server);

    /** The client's connection has ended. May be called more than once. */
    void left(DedicatedClient client);

    /** The time of the bucket's clock, in nanoseconds. */
    long now();

    /** The timeout of a login from LOGIN7 on, including the time that the client takes. */
    long loginNanos();

    /** The error text for a client whose server connection ends during its login. */
    String lostAdvice();

    /** Answers the client's login with an error, and ends its connection. */
    void refuse(ClientHello client, ProxyError error, String advice);
}
