package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;

/** Limits the clients of an instance, whatever their bucket. */
public final class ClientPlaces {
    private final AtomicInteger taken = new AtomicInteger();
    private final int most;

    /** @param most the limit; 0 for none */
    public ClientPlaces(int most) {
        this.most = most;
    }

    public int taken() {
        return taken.get();
    }

    /**
     * Takes a place for a client, until its channel is closed. Any thread.
     *
     * @return whether there was a place left
     */
    public boolean take(Channel client) {
        if (taken.incrementAndGet() > most && most > 0) {
            taken.decrementAndGet();
            return false;
        }
        client.closeFuture().addListener(_ -> taken.decrementAndGet());
        return true;
    }

    /** Returns the place of a client that was closed forcibly, for which the channel runs no close listener. */
    void giveBack() {
        taken.decrementAndGet();
    }
}
