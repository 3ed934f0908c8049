package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.e2e.Target;
import dev.comporta.e2e.fleet.HaProxy.Ports;
import dev.comporta.e2e.fleet.WorkingClients.Tally;
import dev.comporta.standin.Standin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two instances behind HAProxy are restarted one after the other, as an upgrade does, and no transaction fails. */
@Timeout(180)
class RollingRestartTest {
    private static final String PASSWORD = "Secret!1";
    private static final int OF_EACH_KIND = 4;

    /** Longer than HikariCP uses a connection again without a test, as most connections of most pools rest. */
    private static final Duration LONG_PAUSE = Duration.ofMillis(1300);

    /** Of those that test their connection each time, and never rest. */
    private static final Duration SHORT_PAUSE = Duration.ofMillis(20);

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Standin server;
    private Connection witness;
    private final SequencedMap<String, Ports> ports = new LinkedHashMap<>();
    private final Map<String, ProxyProcess> instances = new TreeMap<>();

    @BeforeEach
    void start() throws Exception {
        server = Standin.builder().database("AppDB").login("sa", PASSWORD).start();
        witness = DriverManager.getConnection(url(server.port()));
        try (Statement statement = witness.createStatement()) {
            statement.execute("CREATE TABLE work (client VARCHAR(20), n INT, part INT)");
        }
        Files.writeString(
                directory.resolve("buckets.yaml"),
                "buckets: [{id: one, host: 127.0.0.1, port: %d, database: AppDB, min_idle: 0, max_connections: 8, encrypt: off, queue_timeout: 60s}]%n"
                        .formatted(server.port()));
        List<Integer> free = HaProxy.freePorts(4);
        ports.put("a", new Ports(free.get(0), free.get(1)));
        ports.put("b", new Ports(free.get(2), free.get(3)));
        for (String name : ports.keySet()) {
            launch(name);
        }
        instances.values().forEach(ProxyProcess::awaitListening);
    }

    @AfterEach
    void stop() throws Exception {
        instances.values().forEach(ProxyProcess::kill);
        witness.close();
        server.close();
    }

    private static String url(int port) {
        return "jdbc:sqlserver://127.0.0.1:" + port
                + ";databaseName=AppDB;encrypt=false;connectRetryCount=0;loginTimeout=60;user=sa;password=" + PASSWORD;
    }

    private ProxyProcess launch(String name) throws IOException {
        Ports own = ports.get(name);
        Path config =
                Files.writeString(directory.resolve(name + ".yaml"), """
                proxy: {listen_addr: 127.0.0.1, listen_port: %d, health_check_port: %d, metrics_port: 0, event_loops: 1, instance_id: %s, tls: {mode: off}, drain_delay: 1s, shutdown_timeout: 6s}
                """.formatted(own.listen(), own.health(), name));
        ProxyProcess started = ProxyProcess.start(name, config, directory.resolve("buckets.yaml"));
        instances.put(name, started);
        return started;
    }

    private int ask(String sql) throws SQLException {
        try (Statement statement = witness.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void noTransactionFails() throws Exception {
        try (HaProxy balancer = HaProxy.start(directory, ports)) {
            ports.keySet().forEach(balancer::awaitUp);
            Target target = new Target("127.0.0.1", balancer.port, "sa", PASSWORD, "AppDB");
            try (WorkingClients pooled = JdbcWork.pooled(url(balancer.port), OF_EACH_KIND, LONG_PAUSE);
                    WorkingClients testing = JdbcWork.testing(url(balancer.port), OF_EACH_KIND, SHORT_PAUSE);
                    WorkingClients tedious = ProgramWork.tedious(target, OF_EACH_KIND, SHORT_PAUSE);
                    WorkingClients pymssql = ProgramWork.pymssql(target, OF_EACH_KIND, LONG_PAUSE)) {
                List<WorkingClients> all = List.of(pooled, testing, tedious, pymssql);
                await("everyone works")
                        .atMost(SOON)
                        .until(() -> ask("SELECT COUNT(DISTINCT client) FROM work") == all.size() * OF_EACH_KIND);
                for (String name : List.copyOf(ports.keySet())) {
                    restart(name, balancer);
                }
                verify(all);
            }
        }
    }

    private void restart(String name, HaProxy balancer) throws Exception {
        ProxyProcess old = instances.get(name);
        assertThat(old.stopInOrder()).isZero();
        assertThat(old.said("All clients have left after "))
                .as("nobody was cut off")
                .hasSize(1);
        launch(name).awaitListening();
        balancer.awaitUp(name);
    }

    /** As the clients count, and as the database does. */
    private void verify(List<WorkingClients> all) throws Exception {
        List<String> failures = new ArrayList<>();
        Map<String, Integer> committed = new TreeMap<>();
        int replaced = 0;
        for (WorkingClients clients : all) {
            for (Tally tally : clients.stop()) {
                failures.addAll(tally.failures());
                committed.put(tally.client(), tally.committed());
                replaced += tally.replaced();
            }
        }
        int sum = committed.values().stream().mapToInt(Integer::intValue).sum();
        System.out.printf(
                "rolling restart: %d transactions, %d failed, %d connections replaced%n",
                sum + failures.size(), failures.size(), replaced);
        assertThat(failures).isEmpty();
        assertThat(committed).hasSize(all.size() * OF_EACH_KIND);
        for (Map.Entry<String, Integer> client : committed.entrySet()) {
            assertThat(ask("SELECT COUNT(*) FROM work WHERE client = '" + client.getKey() + "'"))
                    .as("rows of " + client.getKey())
                    .isEqualTo(2 * client.getValue());
        }
        // Beside those of the pool, which does not tell: each was on one of the two when that was stopped.
        assertThat(replaced).isGreaterThanOrEqualTo((all.size() - 1) * OF_EACH_KIND);
    }
}
