package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.RedisEndpoint;
import dev.comporta.lease.redis.RedisLeaseStore;
import dev.comporta.lease.redis.testkit.RedisProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two instances of an application, as far as Redis knows, with one limit. */
class FleetLimitTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final StubServer server = new StubServer();

    private ComportaDataSource instance(LeaseSettings me, FleetLeases leases) {
        ComportaDataSource pool = new ComportaDataSource();
        pool.setJdbcUrl("jdbc:stub:" + me.instance());
        pool.setPoolName("orders");
        pool.setMaximumPoolSize(3);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(PATIENCE);
        pool.setLeaseSource(leases);
        return pool;
    }

    @Test
    void instancesShareOneLimitAndEachIsServed() throws Exception {
        DriverManager.registerDriver(server);
        LeaseSettings a = new LeaseSettings("a", Duration.ofSeconds(2), Duration.ofSeconds(10), true, 2);
        LeaseSettings b = new LeaseSettings("b", Duration.ofSeconds(2), Duration.ofSeconds(10), true, 2);
        try (RedisProcess redis = new RedisProcess();
                FleetLeases leasesOfA = new FleetLeases(a, RedisLeaseStore.connect(a, endpoint(redis)));
                FleetLeases leasesOfB = new FleetLeases(b, RedisLeaseStore.connect(b, endpoint(redis)));
                ComportaDataSource poolOfA = instance(a, leasesOfA);
                ComportaDataSource poolOfB = instance(b, leasesOfB)) {
            AtomicInteger served = new AtomicInteger();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                ComportaDataSource pool = i % 2 == 0 ? poolOfA : poolOfB;
                clients.add(Thread.startVirtualThread(() -> use(pool, served)));
            }
            for (Thread client : clients) {
                assertThat(client.join(PATIENCE)).isTrue();
            }
            assertThat(served.get()).isEqualTo(200);
            assertThat(server.mostOpen()).isBetween(1, 3);
            assertThat(poolOfA.statistics().acquires()).isEqualTo(100);
            assertThat(poolOfB.statistics().acquires()).isEqualTo(100);
        } finally {
            DriverManager.deregisterDriver(server);
        }
    }

    private static RedisEndpoint endpoint(RedisProcess redis) {
        return RedisEndpoint.standalone("127.0.0.1", redis.port());
    }

    private static void use(ComportaDataSource pool, AtomicInteger served) {
        try (Connection connection = pool.getConnection()) {
            StubServer.execute(connection, "SELECT 1");
            served.incrementAndGet();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
