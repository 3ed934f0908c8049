package dev.comporta.proxy.loop;

import java.net.InetAddress;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Who makes room when all places for waiting logins are taken. */
public final class Crowding {
    private Crowding() {}

    /**
     * The crowd whose last one makes room: that of the address with the most, so that one address can't take all places; null
     * if that would still have no more than the newcomer's.
     *
     * @param crowds those who wait, by their address; not empty
     * @param size how many of a crowd wait
     */
    public static <C> @Nullable C makesRoom(Map<InetAddress, C> crowds, InetAddress newcomer, ToIntFunction<C> size) {
        C largest = Collections.max(crowds.values(), Comparator.comparingInt(size));
        C own = crowds.get(newcomer);
        return size.applyAsInt(largest) > 1 + (own == null ? 0 : size.applyAsInt(own)) ? largest : null;
    }
}
