package dev.comporta.proxy.listen;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** Limits that protect logged-in clients from connections that have not logged in. All listeners of an instance share them. */
public final class Guards {
    private final LoginBudget budget;
    private final ClientPlaces sockets;
    private final AddressPlaces places;
    private final RefusedConnections refused;
    private final Map<EventExecutor, HandshakeTurns> turns = new HashMap<>();
    private final LongSupplier nanoClock;

    /**
     * @param loops the loops that serve accepted clients
     * @param handshakes completes when TLS handshakes may begin
     */
    public Guards(
            SocketLimits limits, EventLoopGroup loops, RefusedConnections refused, CompletionStage<?> handshakes) {
        this(limits, loops, refused, handshakes, System::nanoTime);
    }

    Guards(
            SocketLimits limits,
            EventLoopGroup loops,
            RefusedConnections refused,
            CompletionStage<?> handshakes,
            LongSupplier nanoClock) {
        this.refused = refused;
        this.nanoClock = nanoClock;
        LoginLimits logins = limits.logins();
        budget = new LoginBudget(logins, refused);
        sockets = new ClientPlaces(limits.maxSockets());
        places = new AddressPlaces(logins.maxClientsPerAddress());
        int count = 0;
        for (EventExecutor _ : loops) {
            count++;
        }
        int each = Math.ceilDiv(logins.maxHandshakes(), count);
        for (EventExecutor loop : loops) {
            HandshakeTurns ofLoop = new HandshakeTurns(loop, nanoClock, each);
            turns.put(loop, ofLoop);
            handshakes.thenRun(() -> loop.execute(ofLoop::open));
        }
    }

    LongSupplier nanoClock() {
        return nanoClock;
    }

    LoginBudget budget() {
        return budget;
    }

    /** The places of all clients of the instance, logged in or not. */
    ClientPlaces sockets() {
        return sockets;
    }

    RefusedConnections refused() {
        return refused;
    }

    HandshakeTurns turns(EventExecutor loop) {
        return Objects.requireNonNull(turns.get(loop));
    }

    Entrance entrance(String listener, EntranceRules rules) {
        return new Entrance(listener, rules, places, refused);
    }
}
