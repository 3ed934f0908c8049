package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts the clients of each address, logged in or not, all listeners together, and lets no more in than one address may
 * have. It remembers no address that has none. Any thread.
 */
public final class AddressPlaces {
    private final ConcurrentMap<InetAddress, Integer> taken = new ConcurrentHashMap<>();
    private final int most;

    /** @param most 0 for any number */
    public AddressPlaces(int most) {
        this.most = most;
    }

    /**
     * The client has its place until its channel is closed.
     *
     * @return whether there was one left
     */
    boolean take(Channel client, InetAddress address) {
        if (most == 0) {
            return true;
        }
        if (taken.merge(address, 1, Integer::sum) > most) {
            giveBack(address);
            return false;
        }
        client.closeFuture().addListener(_ -> giveBack(address));
        return true;
    }

    private void giveBack(InetAddress address) {
        taken.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }

    /** How many addresses are remembered. */
    int size() {
        return taken.size();
    }
}
