package dev.comporta.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.e2e.Target;
import dev.comporta.e2e.TestServer;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.testkit.Jdbc;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients of TDS 7.1, of whose transactions a server tells nothing, beside those of 7.4 on one bucket with fewer
 * connections than clients. Every row that was said to be committed is there, and none besides.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MixedVersionsTest {
    /** Fewer than there are clients. */
    private static final int SHARED = 2;

    private static final int EXECUTIONS = 60;
    private static final int ROUNDS = 24;

    private TestServer server;
    private Instance instance;
    private Target proxy;
    private Connection witness;

    private void start(ServerHabits habits, int maxConnections) throws Exception {
        server = TestServer.standin(habits);
        Target target = server.target();
        instance = LocalInstance.start(
                "default_bucket: mixed", """
                buckets:
                  - id: mixed
                    host: %s
                    port: %d
                    max_connections: %d
                    pool_mode: transaction
                    encrypt: off
                """.formatted(target.host(), target.port(), maxConnections));
        proxy = new Target(target.host(), instance.proxy().port(), target.user(), target.password(), target.database());
        witness = new MssqlJdbc(Tls.OFF).connect(target);
        Jdbc.run(witness, "CREATE TABLE kept (client int NOT NULL, round int NOT NULL)");
    }

    @AfterEach
    void stop() throws Exception {
        witness.close();
        instance.close();
        server.close();
    }

    /** What a client does, and how many rows it leaves. */
    private interface Part {
        int play(Connection connection, int client) throws Exception;
    }

    /** Two clients of each driver, each on a thread of its own, all beginning together. */
    private int all(Part part) throws Exception {
        List<Connection> connections = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (JdbcDriver driver : List.of(new Jtds(Tls.OFF), new MssqlJdbc(Tls.OFF))) {
                connections.add(driver.connect(proxy));
                connections.add(driver.connect(proxy));
            }
            CyclicBarrier together = new CyclicBarrier(connections.size());
            List<Future<Integer>> parts = new ArrayList<>();
            for (int i = 0; i < connections.size(); i++) {
                int client = i;
                parts.add(threads.submit(() -> {
                    together.await();
                    return part.play(connections.get(client), client);
                }));
            }
            int rows = 0;
            for (Future<Integer> each : parts) {
                rows += each.get();
            }
            return rows;
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCommittedRowIsThereAndNoOther(ServerHabits habits) throws Exception {
        start(habits, SHARED);
        int committed = all((connection, client) -> {
            int rows = 0;
            for (int round = 0; round < ROUNDS; round++) {
                boolean byDriver = round % 2 == 0;
                boolean commits = round % 3 != 0;
                rows += transaction(connection, client, round, byDriver, commits, rows);
            }
            return rows;
        });
        assertThat(Jdbc.ask(witness, "SELECT COUNT(*) FROM kept")).isEqualTo(Integer.toString(committed));
        await("no transaction is left open").until(() -> server.openTransactions() == 0);
        assertThat(server.counters().mostSessions()).isLessThanOrEqualTo(SHARED + 1);
    }

    /** Two rows in requests of their own, so that others have their turn in between. */
    private static int transaction(
            Connection connection, int client, int round, boolean byDriver, boolean commits, int before)
            throws SQLException {
        if (byDriver) {
            connection.setAutoCommit(false);
        } else {
            Jdbc.run(connection, "BEGIN TRANSACTION");
        }
        String insert = "INSERT INTO kept VALUES (" + client + ", " + round + ")";
        Jdbc.run(connection, insert);
        assertThat(Jdbc.ask(connection, "SELECT @@TRANCOUNT")).isEqualTo("1");
        Jdbc.run(connection, insert);
        assertThat(Jdbc.ask(connection, "SELECT COUNT(*) FROM kept WHERE client = " + client))
                .isEqualTo(Integer.toString(before + 2));
        if (byDriver) {
            if (commits) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        } else {
            Jdbc.run(connection, commits ? "COMMIT TRANSACTION" : "ROLLBACK TRANSACTION");
        }
        assertThat(Jdbc.ask(connection, "SELECT @@TRANCOUNT")).isEqualTo("0");
        return commits ? 2 : 0;
    }

    @ParameterizedTest
    @EnumSource
    void preparedStatementsServeTheirOwnClient(ServerHabits habits) throws Exception {
        start(habits, SHARED);
        int executed = all((connection, client) -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO kept VALUES (?, ?)");
                    PreparedStatement select = connection.prepareStatement("SELECT ? * 1000 + ?")) {
                for (int round = 0; round < EXECUTIONS; round++) {
                    insert.setInt(1, client);
                    insert.setInt(2, round);
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                    select.setInt(1, client);
                    select.setInt(2, round);
                    try (ResultSet rows = select.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getInt(1)).isEqualTo(client * 1000 + round);
                    }
                }
            }
            return EXECUTIONS;
        });
        assertThat(executed).isEqualTo(4 * EXECUTIONS);
        assertThat(Jdbc.ask(witness, "SELECT COUNT(*) FROM kept")).isEqualTo(Integer.toString(executed));
    }
}
