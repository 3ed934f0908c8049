package dev.comporta.proxy.relay;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.watch.RelayCounters;
import java.util.Random;

/** A server on a connection that a pool has ordered, and that nobody carries out. */
final class TestServer {
    private TestServer() {}

    static PooledServer connected(LoginResponse login) {
        OpenOrders opened = new OpenOrders();
        Bucket bucket =
                new Bucket("one", BucketSettings.DEFAULTS, opened, new LocalLeases(), new Random(1), (a, b) -> 0, 0);
        bucket.request(new Waiter("client"), bucket.pool("pool", "sa"), null, 0);
        return new PooledServer(new NoOwner(), opened.connections().getFirst(), login);
    }

    private static final class NoOwner implements ServerOwner {
        private final RelayCounters counters = new RelayCounters();

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

        @Override
        public RelayCounters counters() {
            return counters;
        }
    }
}
