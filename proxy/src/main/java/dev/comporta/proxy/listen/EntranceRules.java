package dev.comporta.proxy.listen;

import dev.comporta.proxy.origin.AddressRange;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.origin.ClientAddress;
import java.net.InetAddress;
import java.util.List;

/**
 * Which addresses may connect to a listener, and which load balancers may speak for others.
 *
 * @param trusted load balancers, whose PROXY headers are believed
 * @param clients by the client's own address, as far as it is known
 */
public record EntranceRules(ProxyProtocol proxyProtocol, List<AddressRange> trusted, AddressRules clients) {
    /** Whether connections begin with a PROXY header. */
    public enum ProxyProtocol {
        OFF,
        /** Those of trusted load balancers may; others must not. */
        OPTIONAL,
        /** All must, and must come from a trusted load balancer. */
        REQUIRED
    }

    /** For everybody, with the address of the socket. */
    public static final EntranceRules OPEN = new EntranceRules(ProxyProtocol.OFF, List.of(), AddressRules.EVERYBODY);

    public EntranceRules {
        trusted = List.copyOf(trusted);
    }

    /** Whether a header from this end of a socket is believed, so that whose connection it is can't be told before. */
    boolean isTrusted(InetAddress socket) {
        return proxyProtocol != ProxyProtocol.OFF && AddressRules.contain(trusted, ClientAddress.plain(socket));
    }
}
