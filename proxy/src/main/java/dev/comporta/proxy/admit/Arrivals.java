package dev.comporta.proxy.admit;

import dev.comporta.proxy.console.ConsoleAccess;
import dev.comporta.proxy.console.ConsoleEntrance;
import dev.comporta.proxy.listen.ClientPlaces;
import dev.comporta.proxy.listen.LoopMove;
import dev.comporta.proxy.listen.RefusedConnections;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.LoginRefusal;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.EntryCounts;
import dev.comporta.proxy.watch.News;
import org.jspecify.annotations.Nullable;

/** Takes clients that have sent LOGIN7, on any event loop, and moves each to the loop of the bucket it belongs to. */
public final class Arrivals {
    private final Buckets buckets;
    private final Routing routing;
    private final ClientPlaces places;
    /** Serves administrators; null without a console. */
    private volatile @Nullable ConsoleEntrance console;

    private final LoginRefusal refusal;
    private final RefusedConnections refused;
    /** Why new clients are refused; empty while they are not. */
    private volatile String closed = "";

    public Arrivals(
            Buckets buckets,
            Routing routing,
            int maxClients,
            News news,
            EntryCounts counts,
            RefusedConnections refused) {
        this.refused = refused;
        this.buckets = buckets;
        this.routing = routing;
        places = new ClientPlaces(maxClients);
        refusal = new LoginRefusal("", news, counts.refusals());
    }

    public void openConsole(ConsoleAccess access) {
        console = new ConsoleEntrance(access, refusal);
    }

    /** Refuses new clients from now on, except administrators. */
    public void close(String why) {
        closed = why;
    }

    /** How many connections have sent their LOGIN7: those that are admitted, and those that wait for the decision. */
    public int clients() {
        return places.taken();
    }

    public void arrived(ClientHello client, String listener) {
        ConsoleEntrance door = console;
        if (door != null && door.isWanted(client.login())) {
            door.arrived(client);
            return;
        }
        if (!closed.isEmpty()) {
            refusal.refuse(client, ProxyError.SERVER_UNAVAILABLE, closed + ". Connect again.");
            return;
        }
        if (!places.take(client.channel())) {
            refused.count(RefusedConnections.Reason.MAX_CLIENTS);
            refusal.refuse(
                    client,
                    ProxyError.POOL_EXHAUSTED,
                    "this instance has as many clients as proxy.limits.max_clients allows. Connect again later.");
            return;
        }
        switch (routing.route(client.login(), listener)) {
            case Routing.Destination.Nowhere(String reason) -> refusal.refuse(client, ProxyError.NO_ROUTE, reason);
            case Routing.Destination.Bucket(String id) -> {
                Admission bucket = buckets.find(id);
                if (bucket == null) {
                    // The bucket was removed after the route was looked up.
                    refusal.refuse(client, ProxyError.NO_ROUTE, Buckets.removed(id) + ". Connect again.");
                    return;
                }
                LoopMove.move(client.channel(), bucket.bucketLoop().loop(), () -> bucket.admit(client));
            }
        }
    }
}
