package dev.comporta.proxy.listen;

import dev.comporta.proxy.origin.AddressRange;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.origin.ClientAddress;
import java.net.InetAddress;
import java.util.List;

/**
 * The addresses that may connect to a listener, and the load balancers that may send addresses of clients.
 *
 * @param trusted load balancers whose PROXY headers are believed
 * @param clients the rules for the client's own address, as far as it is known
 */
public record EntranceRules(ProxyProtocol proxyProtocol, List<AddressRange> trusted, AddressRules clients) {
    /** Whether connections begin with a PROXY header. */
    public enum ProxyProtocol {
        OFF,
        /** Connections of trusted load balancers may begin with one; others must not. */
        OPTIONAL,
        /** All connections must, and must come from a trusted load balancer. */
        REQUIRED
    }

    /** Open to every address, without PROXY headers. */
    public static final EntranceRules OPEN = new EntranceRules(ProxyProtocol.OFF, List.of(), AddressRules.EVERYBODY);

    public EntranceRules {
        trusted = List.copyOf(trusted);
    }

    /** Whether a header from this peer is believed: the client's address is then unknown before the header. */
    boolean isTrusted(InetAddress socket) {
        return proxyProtocol != ProxyProtocol.OFF && AddressRules.contain(trusted, ClientAddress.plain(socket));
    }
}
