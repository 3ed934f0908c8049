package dev.comporta.proxy.listen;

import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.listen.RefusedConnections.Reason;
import dev.comporta.proxy.origin.ClientAddress;
import io.netty.channel.Channel;
import java.net.InetAddress;

/**
 * Decides by a connection's address whether it may go on to log in, and counts it if not. Any thread.
 *
 * @param listener its name, for people
 */
record Entrance(String listener, EntranceRules rules, AddressPlaces places, RefusedConnections refused) {
    /**
     * A connection that was accepted just now.
     *
     * @return whether it may go on; if not it is to be closed
     */
    boolean admitSocket(Channel client) {
        InetAddress socket = ClientAddress.ipOf(client);
        if (rules.isTrusted(socket)) {
            return true; // judged when it has told whose it is
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

    /** The same for one whose own address is known now. */
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
