package dev.comporta.proxy.attach;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.CloseReason;
import dev.comporta.pool.HealthState;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Pool;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.dedicated.DedicatedClient;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.relay.ClientRequest;
import dev.comporta.proxy.relay.ServerSession;

/** Carries out the pool's orders: by sockets, and by telling who has waited. Confined to the bucket's loop. */
final class PoolOrders implements Orders {
    private final BucketLoop bucketLoop;
    private final Transport transport;
    private final SocketLimits limits;

    PoolOrders(BucketLoop bucketLoop, Transport transport, SocketLimits limits) {
        this.bucketLoop = bucketLoop;
        this.transport = transport;
        this.limits = limits;
    }

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {
        if (!connection.equals(waiter.connection())) {
            // It was lost between the order's making and its giving: the client has to ask again.
            lost(waiter);
            return;
        }
        switch (waiter.client()) {
            case ClientRequest request -> request.attached(Upkeep.session(connection));
            case LoginCheck check -> {
                bucketLoop
                        .runner()
                        .release(connection, Upkeep.session(connection).sessionState(), true);
                bucketLoop.admission().accepted(check);
            }
            case DedicatedClient client -> bucketLoop.dedications().attached(client, connection);
            default -> throw new IllegalStateException("attached " + waiter.client());
        }
    }

    private void lost(Waiter waiter) {
        switch (waiter.client()) {
            case ClientRequest request -> bucketLoop.sharing().acquire(request);
            case LoginCheck check -> bucketLoop.admission().refused(check, Refusal.SERVER_UNAVAILABLE);
            case DedicatedClient client -> bucketLoop.dedications().ask(client);
            default -> throw new IllegalStateException("attached " + waiter.client());
        }
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        switch (waiter.client()) {
            case ClientRequest request -> request.refused(why);
            case LoginCheck check -> bucketLoop.admission().refused(check, why);
            case DedicatedClient client -> bucketLoop.dedications().refused(client, why);
            default -> throw new IllegalStateException("refused " + waiter.client());
        }
    }

    @Override
    public void open(ServerConnection connection) {
        ServerOpening opening = new ServerOpening(connection, bucketLoop);
        connection.attach(opening);
        opening.dial(bucketLoop.loop(), transport, limits, bucketLoop.spec().dial());
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        switch (connection.attachment()) {
            case ServerSession server -> server.close();
            case DedicatedServer server -> server.close();
            case ServerOpening opening -> opening.callOff();
            case null, default -> throw new IllegalStateException("close " + connection);
        }
    }

    @Override
    public void reset(ServerConnection connection) {
        bucketLoop.upkeep().reset(connection);
    }

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {
        bucketLoop.upkeep().validate(connection, how);
    }

    @Override
    public void warmedUp(Pool pool, int ready, int wanted) {
        bucketLoop.firstConnections().done(pool, ready, wanted);
    }

    @Override
    public void healthChanged(Bucket which, HealthState health) {
        if (health == HealthState.DOWN) {
            bucketLoop.firstConnections().serverIsDown();
        }
    }

    @Override
    public void drained(Bucket removed) {
        bucketLoop.stopped();
    }
}
