package dev.comporta.proxy.origin;

import java.net.InetAddress;
import java.util.List;

/**
 * The addresses that may connect. An address in both lists may not.
 *
 * @param allow empty for every address
 */
public record AddressRules(List<AddressRange> allow, List<AddressRange> deny) {
    public static final AddressRules EVERYBODY = new AddressRules(List.of(), List.of());

    public AddressRules {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    public boolean admit(InetAddress address) {
        return !contain(deny, address) && (allow.isEmpty() || contain(allow, address));
    }

    /** Whether one of the ranges contains the address. */
    public static boolean contain(List<AddressRange> ranges, InetAddress address) {
        for (AddressRange range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
