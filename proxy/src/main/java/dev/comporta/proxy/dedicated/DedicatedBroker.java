package dev.comporta.proxy.dedicated;

import dev.comporta.pool.Waiter;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.session.ProxyError;

/** What the bucket does for clients with a server connection of their own. */
public interface DedicatedBroker {
    /** The client's place in the queue, for its whole life. */
    Waiter waiter(DedicatedClient client);

    /** The client has left while it waited. */
    void gaveUp(DedicatedClient client);

    /** The server has let the client in, or rejected its credentials. */
    void judged(DedicatedClient client, boolean accepted);

    /** The client is done with its connection, which is to end: nobody else could use it. */
    void done(DedicatedServer server);

    /** It is of no use any more, and is being closed: the server may count it still. */
    void serverBroken(DedicatedServer server);

    /** The network connection to the server has ended. */
    void serverClosed(DedicatedServer server);

    /** May be told more than once. */
    void left(DedicatedClient client);

    /** Nanoseconds since some moment. */
    long now();

    /** How long a login may take from LOGIN7 on, the client's own part in it included. */
    long loginNanos();

    /** What a client is told when its server has gone in the middle of its login. */
    String lostAdvice();

    /** Answers the client's login with an error, and ends its connection. */
    void refuse(ClientHello client, ProxyError error, String advice);
}
