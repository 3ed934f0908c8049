package dev.comporta.proxy.loop;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;

/** Carries out the pool core's orders: on sockets, and by calls to requesters. Confined to the bucket's loop. */
final class PoolOrders implements Orders {
    private final BucketLoop bucketLoop;
    private final Transport transport;
    private final SocketLimits limits;
    private HealthState told = HealthState.UP;

    PoolOrders(BucketLoop bucketLoop, Transport transport, SocketLimits limits) {
        this.bucketLoop = bucketLoop;
        this.transport = transport;
        this.limits = limits;
    }

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {
        if (connection.equals(waiter.connection())) {
            ServerLink.of(connection).attach(Requester.of(waiter));
        } else {
            Requester.of(waiter).lost(); // the connection was lost after the order was made
        }
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        Requester.of(waiter).refused(why);
    }

    @Override
    public void open(ServerConnection connection) {
        ServerOpening opening = new ServerOpening(
                connection, bucketLoop, transport, limits, bucketLoop.spec().dial());
        connection.attach(opening);
        opening.begin();
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        ServerLink.of(connection).close();
    }

    @Override
    public void reset(ServerConnection connection) {
        ServerLink.of(connection).reset();
    }

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {
        ServerLink.of(connection).validate(how);
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
        // Between two checks it goes to probing and back to down: not worth reporting.
        if (health == HealthState.DOWN && told == HealthState.UP) {
            told = HealthState.DOWN;
            bucketLoop.news().bucketDown(which.id(), which.healthReason());
        } else if (health == HealthState.UP && told == HealthState.DOWN) {
            told = HealthState.UP;
            bucketLoop.news().bucketUp(which.id());
        }
    }

    @Override
    public void roomChanged(Bucket which, boolean full) {
        if (full) {
            bucketLoop.news().bucketFull(which.id(), which.fullReason());
        } else {
            bucketLoop.news().bucketHasRoom(which.id());
        }
    }

    @Override
    public void quiesced(Bucket paused) {
        bucketLoop.steering().quiesced();
    }

    @Override
    public void drained(Bucket removed) {
        bucketLoop.stopped();
    }
}
