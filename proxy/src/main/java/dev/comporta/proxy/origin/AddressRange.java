package dev.comporta.proxy.origin;

import java.net.InetAddress;

/**
 * A range of addresses: all that begin with the same bits.
 *
 * @param prefix the number of these bits; all of them for a single address
 */
public record AddressRange(InetAddress network, int prefix) {
    public AddressRange {
        if (prefix < 0 || prefix > network.getAddress().length * Byte.SIZE) {
            throw new IllegalArgumentException("a prefix of " + prefix + " bits of " + network);
        }
    }

    /** @param address in the form of {@link ClientAddress#plain}: no range of IPv6 contains an IPv4 address */
    boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        int whole = prefix / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != other[i]) {
                return false;
            }
        }
        int rest = Byte.SIZE - prefix % Byte.SIZE;
        return rest == Byte.SIZE || (mine[whole] & 0xff) >> rest == (other[whole] & 0xff) >> rest;
    }
}
