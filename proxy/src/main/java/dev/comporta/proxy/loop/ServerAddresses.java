package dev.comporta.proxy.loop;

import dev.comporta.proxy.login.ServerDial.Server;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of a bucket, and which of them is in use. The server that last accepted a connection is used until it fails; then
 * all are tried in their order, so that the bucket does not alternate between two that answer. Confined to the bucket's loop.
 */
final class ServerAddresses {
    private static final Logger log = LoggerFactory.getLogger(ServerAddresses.class);

    private final String bucket;
    private final List<Server> servers;

    private Server inUse;
    /** The address at which that server last accepted a connection; null before. */
    private @Nullable InetAddress address;
    /** A server that accepted a connection and then did not answer in time: it is tried last. */
    private @Nullable Server silent;

    ServerAddresses(String bucket, List<Server> servers) {
        this.bucket = bucket;
        this.servers = servers;
        inUse = servers.getFirst();
    }

    /** All servers, in the order in which to try them. */
    List<Server> inOrder() {
        List<Server> order = new ArrayList<>(servers);
        order.remove(inUse);
        order.addFirst(inUse);
        if (silent != null) {
            order.remove(silent);
            order.addLast(silent);
        }
        return order;
    }

    /** A server's addresses, in the order in which to try them: the one that last worked comes first. */
    List<InetAddress> inOrder(List<InetAddress> found) {
        List<InetAddress> order = new ArrayList<>(found);
        if (address != null && order.remove(address)) {
            order.addFirst(address);
        }
        return order;
    }

    /** A login or greeting has succeeded there. */
    void works(Server server, InetAddress at) {
        if (!server.equals(inUse)) {
            log.warn("bucket {}: using {} instead of {}, which failed", bucket, server, inUse);
        } else if (address != null && !address.equals(at)) {
            log.info("bucket {}: {} answers at {} now", bucket, server, at.getHostAddress());
        }
        inUse = server;
        address = at;
        silent = null;
    }

    /** The server has accepted a connection, and has not answered within the timeout. */
    void isSilent(Server server) {
        silent = server;
    }

    /** The operator replaces all connections: later ones go to the first server that answers. */
    void startOver() {
        inUse = servers.getFirst();
        address = null;
        silent = null;
    }

    /** For people: the server in use, and its address if known and different. */
    String shown() {
        String known = address == null ? "" : address.getHostAddress();
        return known.isEmpty() || known.equals(inUse.host()) ? inUse.toString() : inUse + " (" + known + ")";
    }
}
