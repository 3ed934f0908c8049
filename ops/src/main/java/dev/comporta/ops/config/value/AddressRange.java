package dev.comporta.ops.config.value;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses that begin with the same bits, written like 10.1.0.0/16 or 2001:db8::/32; or one address.
 *
 * @param network with zeros after the prefix; a mapped IPv6 address is stored as IPv4
 * @param prefix the number of bits; all of them for a single address
 */
public record AddressRange(InetAddress network, int prefix) {
    private static final Pattern WRITTEN = Pattern.compile(
            "(?<address>(?:0|[1-9]\\d{0,2})(?:\\.(?:0|[1-9]\\d{0,2})){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(?:/(?<bits>\\d{1,3}))?");
    private static final String EXAMPLES = "Write it like 10.1.2.3, 10.1.0.0/16, 2001:db8::1 or 2001:db8::/32.";
    /** The number of bits before the IPv4 address in a mapped address. */
    private static final int MAPPED_BITS = 96;

    public static AddressRange parse(String text) throws BadValue {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            throw new BadValue("is not an address or a range of addresses", EXAMPLES);
        }
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(matcher.group("address"));
        } catch (IllegalArgumentException noAddress) {
            throw new BadValue("is not an address or a range of addresses", EXAMPLES);
        }
        int size = address.getAddress().length * Byte.SIZE;
        boolean mapped = size == Integer.SIZE && text.indexOf(':') >= 0;
        String bits = matcher.group("bits");
        int prefix = bits == null ? size : Integer.parseInt(bits) - (mapped ? MAPPED_BITS : 0);
        if (prefix < 0 || prefix > size) {
            throw new BadValue(
                    "has a prefix out of range",
                    "Write at most /32 behind an IPv4 address, at most /128 behind an IPv6 address, and at least /96"
                            + " behind ::ffff:….");
        }
        if (hasBitsBehind(address, size - prefix)) {
            throw new BadValue(
                    "has bits behind its prefix", "Write the first address of the range, such as 10.1.0.0/16.");
        }
        return new AddressRange(address, prefix);
    }

    private static boolean hasBitsBehind(InetAddress address, int free) {
        int lowest = new BigInteger(1, address.getAddress()).getLowestSetBit(); // -1 where none is set
        return lowest >= 0 && lowest < free;
    }

    /** Whether it contains all addresses of its family. */
    public boolean isEverything() {
        return prefix == 0;
    }

    @Override
    public String toString() {
        boolean one = prefix == network.getAddress().length * Byte.SIZE;
        return network.getHostAddress() + (one ? "" : "/" + prefix);
    }
}
