package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Limits the clients of each address, logged in or not, over all listeners. Forgets addresses without clients. Any thread. */
public final class AddressPlaces {
    private final ConcurrentMap<InetAddress, Integer> taken = new ConcurrentHashMap<>();
    private final int most;

    /** @param most the limit; 0 for none */
    public AddressPlaces(int most) {
        this.most = most;
    }

    /**
     * Takes a place for a client, until its channel is closed.
     *
     * @return whether there was a place left
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

    /** The number of addresses that have clients. */
    int size() {
        return taken.size();
    }
}
