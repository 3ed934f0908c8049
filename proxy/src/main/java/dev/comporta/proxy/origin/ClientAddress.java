package dev.comporta.proxy.origin;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The address of a client: the one that a trusted load balancer has sent, else the socket's remote address. Any thread. */
public final class ClientAddress {
    private static final AttributeKey<InetSocketAddress> TOLD = AttributeKey.valueOf(ClientAddress.class, "TOLD");
    private static final InetAddress NOWHERE = InetAddress.getLoopbackAddress();
    private static final int IPV6_NETWORK_BYTES = 8;

    private ClientAddress() {}

    /** Called once, before anything asks for the address. */
    public static void tell(Channel client, InetSocketAddress address) {
        client.attr(TOLD).set(address);
    }

    /** The client's address with its port; null when the connection has ended. */
    public static @Nullable InetSocketAddress of(Channel client) {
        // Not by attr() alone, which would create an attribute for each client that has none.
        InetSocketAddress told = client.hasAttr(TOLD) ? client.attr(TOLD).get() : null;
        return told != null ? told : client.remoteAddress() instanceof InetSocketAddress from ? from : null;
    }

    /** The client's address without the port; the loopback address when the connection has ended. */
    public static InetAddress ipOf(Channel client) {
        InetSocketAddress from = of(client);
        return from == null || from.getAddress() == null ? NOWHERE : plain(from.getAddress());
    }

    /** The client's address with its port, as text for logs; empty when the connection has ended. */
    public static String textOf(Channel client) {
        InetSocketAddress from = of(client);
        return from == null ? "" : NetUtil.toSocketAddressString(from);
    }

    /** Normalizes an address: IPv4-mapped IPv6 addresses, as of dual-stack sockets, become IPv4 addresses; the scope is dropped. */
    public static InetAddress plain(InetAddress address) {
        return address instanceof Inet6Address ? of(address.getAddress()) : address;
    }

    /** @param bytes 4 or 16 */
    static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes); // makes IPv4 addresses of mapped ones
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes", impossible);
        }
    }

    /** The address that failures count against: of IPv6 the whole network, since a host can use any of its addresses. */
    public static InetAddress networkOf(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, IPV6_NETWORK_BYTES, bytes.length, (byte) 0);
        return of(bytes);
    }
}
