package dev.comporta.proxy.relay;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Orders;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.login.LoginResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A server on a connection that a pool has ordered, and that nobody carries out. */
final class TestServer {
    private TestServer() {}

    static PooledServer connected(LoginResponse login) {
        Opened opened = new Opened();
        Bucket bucket =
                new Bucket("one", BucketSettings.DEFAULTS, opened, new LocalLeases(), new Random(1), (a, b) -> 0, 0);
        bucket.request(new Waiter("client"), bucket.pool("pool", "sa"), null, 0);
        return new PooledServer(new NoOwner(), opened.connections.getFirst(), login);
    }

    private static final class NoOwner implements PooledServer.Owner {
        @Override
        public void serverBroken(PooledServer server) {}

        @Override
        public void serverClosed(PooledServer server) {}

        @Override
        public void abandonedEnded(PooledServer server) {}

        @Override
        public long now() {
            return 0;
        }
    }

    private static final class Opened implements Orders {
        private final List<ServerConnection> connections = new ArrayList<>();

        @Override
        public void open(ServerConnection connection) {
            connections.add(connection);
        }

        @Override
        public void attach(Waiter waiter, ServerConnection connection) {}

        @Override
        public void refuse(Waiter waiter, Refusal why) {}

        @Override
        public void close(ServerConnection connection, CloseReason why) {}

        @Override
        public void reset(ServerConnection connection) {}

        @Override
        public void validate(ServerConnection connection, HealthSettings.Check how) {}
    }
}
