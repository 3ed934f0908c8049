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

/** The address of a client: as a trusted load balancer has told it, else the other end of the socket. Any thread. */
public final class ClientAddress {
    private static final AttributeKey<InetSocketAddress> TOLD = AttributeKey.valueOf(ClientAddress.class, "TOLD");
    private static final InetAddress NOWHERE = InetAddress.getLoopbackAddress();
    private static final int IPV6_NETWORK_BYTES = 8;

    private ClientAddress() {}

    /** To be called once, before anyone has asked for the address. */
    public static void tell(Channel client, InetSocketAddress address) {
        client.attr(TOLD).set(address);
    }

    /** Null where the connection is gone. */
    public static @Nullable InetSocketAddress of(Channel client) {
        // Not by attr() alone, which would make an attribute for each client that has none.
        InetSocketAddress told = client.hasAttr(TOLD) ? client.attr(TOLD).get() : null;
        return told != null ? told : client.remoteAddress() instanceof InetSocketAddress from ? from : null;
    }

    /** Without the port; the loopback address where the connection is gone. */
    public static InetAddress ipOf(Channel client) {
        InetSocketAddress from = of(client);
        return from == null || from.getAddress() == null ? NOWHERE : plain(from.getAddress());
    }

    /** With the port, for people; empty where the connection is gone. */
    public static String textOf(Channel client) {
        InetSocketAddress from = of(client);
        return from == null ? "" : NetUtil.toSocketAddressString(from);
    }

    /** An IPv4 address as such, also where a socket for both families shows it as an IPv6 address; without a scope. */
    public static InetAddress plain(InetAddress address) {
        return address instanceof Inet6Address ? of(address.getAddress()) : address;
    }

    /** @param bytes 4 or 16 */
    static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes); // of mapped ones it makes IPv4 addresses
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes", impossible);
        }
    }

    /**
     * The address that failures count against: an IPv4 address, or all of an IPv6 network, since a host has as many as it
     * likes.
     */
    public static InetAddress networkOf(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, IPV6_NETWORK_BYTES, bytes.length, (byte) 0);
        return of(bytes);
    }
}
