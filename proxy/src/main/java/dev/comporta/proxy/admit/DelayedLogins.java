package dev.comporta.proxy.admit;

import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.loop.Crowding;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The logins that are delayed now, up to a limit. At the limit, the latest of the address with the most is refused for a login
 * of another address, so that one address can't take all places. A client that disconnects gives its place back at once.
 * Confined to the bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of adding a listener
final class DelayedLogins {
    /** Limit of the logins delayed at the same time, each of which holds a client's connection and its LOGIN7. */
    static final int MOST = 1024;

    private static final class Delayed {
        final ClientHello client;
        final InetAddress address;
        final ChannelFutureListener left;

        @Nullable
        Future<?> due;

        Delayed(ClientHello client, InetAddress address, Consumer<Delayed> leave) {
            this.client = client;
            this.address = address;
            left = _ -> leave.accept(this);
        }
    }

    private final EventExecutor loop;
    private final Consumer<ClientHello> refuse;
    /** The delayed logins by address, the oldest of each first. */
    private final Map<InetAddress, SequencedSet<Delayed>> crowds = new HashMap<>();

    private int size;

    /** @param refuse refuses a login that has no place, or has lost it */
    DelayedLogins(EventExecutor loop, Consumer<ClientHello> refuse) {
        this.loop = loop;
        this.refuse = refuse;
    }

    int size() {
        return size;
    }

    /** Passes the client on after the delay, unless it has disconnected by then. */
    void add(ClientHello client, InetAddress address, long nanos, Consumer<ClientHello> next) {
        if (size >= MOST && !makeRoom(address)) {
            refuse.accept(client);
            return;
        }
        Delayed delayed = new Delayed(client, address, this::end);
        crowds.computeIfAbsent(address, _ -> new LinkedHashSet<>()).add(delayed);
        size++;
        delayed.due = loop.schedule(
                () -> {
                    end(delayed);
                    next.accept(client);
                },
                nanos,
                TimeUnit.NANOSECONDS);
        client.channel().closeFuture().addListener(delayed.left);
    }

    private boolean makeRoom(InetAddress address) {
        SequencedSet<Delayed> crowd = Crowding.makesRoom(crowds, address, SequencedSet::size);
        if (crowd == null) {
            return false;
        }
        Delayed last = crowd.getLast();
        end(last);
        refuse.accept(last.client);
        return true;
    }

    /** Does nothing the second time. */
    private void end(Delayed delayed) {
        SequencedSet<Delayed> crowd = crowds.get(delayed.address);
        if (crowd == null || !crowd.remove(delayed)) {
            return;
        }
        size--;
        if (crowd.isEmpty()) {
            crowds.remove(delayed.address);
        }
        if (delayed.due != null) {
            delayed.due.cancel(false);
        }
        delayed.client.channel().closeFuture().removeListener(delayed.left);
    }
}
