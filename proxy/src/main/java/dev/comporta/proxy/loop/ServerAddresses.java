package dev.comporta.proxy.loop;

import dev.comporta.proxy.login.ServerDial.Server;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of a bucket, and which of them is in use. The one that let a connection in last is used until it fails; then
 * all are tried, from the first one on, so that the bucket does not go back and forth between two servers that both answer.
 * Confined to the bucket's loop.
 */
final class ServerAddresses {
    private static final Logger log = LoggerFactory.getLogger(ServerAddresses.class);

    private final String bucket;
    private final List<Server> servers;

    private Server inUse;
    /** Where that server answered last; null before it has. */
    private @Nullable InetAddress address;
    /** It took a connection, and then said nothing in time: it is tried last. */
    private @Nullable Server silent;

    ServerAddresses(String bucket, List<Server> servers) {
        this.bucket = bucket;
        this.servers = servers;
        inUse = servers.getFirst();
    }

    /** All servers, as they are to be tried. */
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

    /** The addresses of a server, as they are to be tried: the one that has answered before comes first. */
    List<InetAddress> inOrder(List<InetAddress> found) {
        List<InetAddress> order = new ArrayList<>(found);
        if (address != null && order.remove(address)) {
            order.addFirst(address);
        }
        return order;
    }

    /** The server has let a connection in there. */
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

    /** The server has taken a connection, and did not answer before the time for it was over. */
    void isSilent(Server server) {
        silent = server;
    }

    /** The operator has all connections replaced: those that follow go to the first server that answers. */
    void startOver() {
        inUse = servers.getFirst();
        address = null;
        silent = null;
    }

    /** For people: the server in use, and its address where that is known and not the same. */
    String shown() {
        String known = address == null ? "" : address.getHostAddress();
        return known.isEmpty() || known.equals(inUse.host()) ? inUse.toString() : inUse + " (" + known + ")";
    }
}
