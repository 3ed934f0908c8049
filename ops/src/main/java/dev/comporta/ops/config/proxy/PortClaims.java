package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.yaml.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that no two listeners of one instance use the same port. */
final class PortClaims {
    private record Claim(String address, int port, String owner) {
        boolean excludes(String otherAddress, int otherPort) {
            return collide(address, port, otherAddress, otherPort);
        }
    }

    private final List<Claim> claims = new ArrayList<>();

    void claim(Section section, String key, ListenerConfig listener) {
        claim(listener.address(), listener.port(), "listener '" + listener.name() + "'")
                .ifPresent(owner -> section.error(
                        key,
                        "Port " + listener.port() + " is already taken by " + owner + ".",
                        "Choose another port."));
    }

    /** Returns the key that has claimed the port already, if any. Claims of port 0, which the system chooses, never collide. */
    Optional<String> claim(String address, int port, String owner) {
        if (port == 0) {
            return Optional.empty();
        }
        Optional<String> taken = claims.stream()
                .filter(claim -> claim.excludes(address, port))
                .map(Claim::owner)
                .findFirst();
        claims.add(new Claim(address, port, owner));
        return taken;
    }

    /** Whether two listeners use the same address and port; never if one of them leaves its port to the system. */
    static boolean collide(String address, int port, String otherAddress, int otherPort) {
        // Listening on all addresses takes the port on each of them.
        return port != 0
                && port == otherPort
                && (isAny(address) || isAny(otherAddress) || address.equals(otherAddress));
    }

    private static boolean isAny(String address) {
        return address.equals("0.0.0.0") || address.equals("::") || address.equals("*");
    }
}
