package dev.comporta.proxy.listen;

import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.listen.RefusedConnections.Reason;
import dev.comporta.proxy.origin.ClientAddress;
import io.netty.channel.Channel;
import java.net.InetAddress;

/**
 * Decides by a connection's address whether it may log in, and counts it if not. Any thread.
 *
 * @param listener its name, for log lines
 */
record Entrance(String listener, EntranceRules rules, AddressPlaces places, RefusedConnections refused) {
    /**
     * Checks a connection that was just accepted.
     *
     * @return whether it may stay; if not it must be closed
     */
    boolean admitSocket(Channel client) {
        InetAddress socket = ClientAddress.ipOf(client);
        if (rules.isTrusted(socket)) {
            return true; // checked when the load balancer has sent the client's address
        }
        if (rules.proxyProtocol() == ProxyProtocol.REQUIRED) {
            refuse(
                    Reason.UNTRUSTED_SOURCE,
                    client,
                    "proxy_protocol is required, and this address is not in trusted_proxies");
            return false;
        }
        return admit(client);
    }

    /** Checks a connection whose client's address is known now. */
    boolean admit(Channel client) {
        InetAddress address = ClientAddress.ipOf(client);
        if (!rules.clients().admit(address)) {
            refuse(Reason.DENIED, client, "this address is denied, or not among those allowed");
            return false;
        }
        if (!places.take(client, address)) {
            refuse(
                    Reason.TOO_MANY_FROM_ADDRESS,
                    client,
                    "this address has as many connections as proxy.limits.max_clients_per_address allows");
            return false;
        }
        return true;
    }

    void refuse(Reason reason, Channel client, String detail) {
        refused.refused(reason, client, listener, detail);
    }
}
