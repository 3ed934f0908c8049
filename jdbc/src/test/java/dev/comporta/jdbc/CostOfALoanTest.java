package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.comporta.jdbc.stub.StubServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a loan costs the client's thread, and an opening the server. */
class CostOfALoanTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final StubServer server = new StubServer();
    private final ComportaDataSource pool = new ComportaDataSource();

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(server);
        pool.setJdbcUrl("jdbc:stub:x");
        pool.setPoolName("orders");
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(PATIENCE);
    }

    @AfterEach
    void deregister() throws SQLException {
        pool.close();
        DriverManager.deregisterDriver(server);
    }

    private void lend(int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            pool.getConnection().close();
        }
    }

    @Test
    void aLoanAllocatesItsHandleAndNothingElse() throws SQLException {
        int times = 50_000;
        lend(times);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        lend(times);
        // A header and three references; what the end of a period costs is shared by thousands of loans.
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / times).isLessThanOrEqualTo(32);
    }

    @Test
    void connectsResetsChecksAndClosesRunOnVirtualThreadsOfThePool() throws SQLException {
        Map<String, Thread> by = new ConcurrentHashMap<>();
        server.refusal = () -> {
            by.put("connect", Thread.currentThread());
            return null;
        };
        server.trouble = name -> {
            by.put(name, Thread.currentThread());
            return null;
        };
        pool.setValidateOnAcquire(true);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            StubServer.execute(connection, "UPDATE x");
        }
        pool.getConnection().close();
        pool.getConnection().close(); // after a reset it need not be checked, after a clean loan it must
        pool.softEvictConnections();
        await().atMost(PATIENCE).until(() -> by.containsKey("close"));
        assertThat(by).containsKeys("connect", "rollback", "isValid", "close");
        for (String call : List.of("connect", "rollback", "isValid", "close")) {
            assertThat(by.get(call))
                    .as(call)
                    .isNotSameAs(Thread.currentThread())
                    .matches(Thread::isVirtual);
        }
    }

    @Test
    void theServerSeesNoMoreConnectsThanTheRateAllows() throws Exception {
        int rate = 20;
        int burst = 5;
        int connections = 25;
        pool.setConnectRate(rate);
        pool.setConnectBurst(burst);
        pool.setMaximumPoolSize(connections);
        ConcurrentLinkedQueue<Long> at = new ConcurrentLinkedQueue<>();
        server.refusal = () -> {
            at.add(System.nanoTime());
            return null;
        };
        List<Thread> clients = new ArrayList<>();
        ConcurrentLinkedQueue<Connection> held = new ConcurrentLinkedQueue<>();
        long begun = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            clients.add(Thread.startVirtualThread(() -> {
                try {
                    held.add(pool.getConnection());
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread client : clients) {
            assertThat(client.join(PATIENCE)).isTrue();
        }
        assertThat(held).hasSize(connections);
        for (Connection one : held) {
            one.close();
        }
        List<Long> times = at.stream().sorted().toList();
        assertThat(times).hasSize(connections);
        // Since the start, not since the first: that one may reach the server late, and none before it is permitted.
        for (int i = burst; i < connections; i++) {
            assertThat(times.get(i) - begun)
                    .as("connect %d, of which %d come at once, at %d a second", i, burst, rate)
                    .isGreaterThan(TimeUnit.SECONDS.toNanos(i - burst) / rate);
        }
    }
}
