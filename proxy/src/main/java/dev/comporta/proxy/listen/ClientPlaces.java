package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the clients of an instance, whatever their bucket, and lets no more in than there is room for. */
public final class ClientPlaces {
    private final AtomicInteger taken = new AtomicInteger();
    private final int most;

    /** @param most 0 for any number */
    public ClientPlaces(int most) {
        this.most = most;
    }

    public int taken() {
        return taken.get();
    }

    /**
     * From any thread. The client has its place until its channel is closed.
     *
     * @return whether there was one left
     */
    public boolean take(Channel client) {
        if (taken.incrementAndGet() > most && most > 0) {
            taken.decrementAndGet();
            return false;
        }
        client.closeFuture().addListener(_ -> taken.decrementAndGet());
        return true;
    }

    /** Of a client that was closed by force: its channel says nothing of it. */
    void giveBack() {
        taken.decrementAndGet();
    }
}
