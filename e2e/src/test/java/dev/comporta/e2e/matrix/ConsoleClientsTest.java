package dev.comporta.e2e.matrix;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.e2e.Target;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.RawClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console from the clients that administrators have. */
@Timeout(120)
class ConsoleClientsTest {
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();
    private static final String POOLS =
            "SELECT server_name, max_connections FROM sys.remote_pool_stats ORDER BY server_name";

    private static Standin standin;
    private static Instance instance;

    @BeforeAll
    static void start() throws Exception {
        standin = Standin.builder()
                .address("127.0.0.1")
                .port(0)
                .database("AppDB")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
        instance = LocalInstance.start("""
                tls: {mode: off}
                admin: {username: ops, password: Open-Up-1}
                """, """
                buckets:
                  - {id: place, host: 127.0.0.1, port: %1$d, database: AppDB, max_connections: 7, encrypt: off}
                  - {id: other, host: 127.0.0.1, port: %1$d, database: Other, max_connections: 3, encrypt: off}
                """.formatted(standin.port()));
    }

    @AfterAll
    static void stop() {
        instance.close();
        standin.close();
    }

    private static Target console() {
        return new Target("127.0.0.1", instance.proxy().port(), "ops", "Open-Up-1", "comporta");
    }

    private static Map<String, String> environment() {
        return Map.of(
                "MATRIX_HOST", console().host(),
                "MATRIX_PORT", "" + console().port(),
                "MATRIX_USER", console().user(),
                "MATRIX_PASSWORD", console().password(),
                "MATRIX_DATABASE", console().database(),
                "NODE_NO_WARNINGS", "1",
                "FREETDSCONF", FreeTdsTool.globalSettings(Tls.OFF).toString(),
                "PYTHONDONTWRITEBYTECODE", "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7.1", "7.2", "7.3", "7.4"})
    void tsql(String version) throws Exception {
        SqlTool.Printed printed = new FreeTdsTool("tsql", version, Tls.OFF)
                .run(console(), List.of(POOLS, "SHOW POOLS", "RECONNECT place"));
        assertThat(printed.rows()).contains(List.of("other", "3"), List.of("place", "7"));
        assertThat(printed.errors()).isEmpty();
    }

    @Test
    void tedious() throws Exception {
        Command.Result result =
                Command.run(List.of("node", CLIENTS.resolve("console.js").toString()), environment(), "");
        assertThat(result.errors()).isEmpty();
        assertThat(result.lines()).contains("other|3", "place|7");
    }

    @Test
    void pymssql() throws Exception {
        Command.Result result = Command.run(
                List.of("/usr/bin/python3", CLIENTS.resolve("console.py").toString()), environment(), "");
        assertThat(result.errors()).isEmpty();
        assertThat(result.lines()).containsExactly("other|3", "place|7");
    }

    @Test
    void mssqlJdbc() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:"
                + console().port() + ";databaseName=comporta;encrypt=false;user=ops;password=Open-Up-1")) {
            assertThat(ask(connection, POOLS)).isEqualTo("other");
            List<String> views = new ArrayList<>();
            try (ResultSet tables = connection.getMetaData().getTables("comporta", "sys", "%", null)) {
                while (tables.next()) {
                    views.add(tables.getString("TABLE_NAME"));
                }
            }
            assertThat(views)
                    .contains(
                            "remote_pool_stats",
                            "remote_user_pool_stats",
                            "remote_connections",
                            "clients",
                            "waiters",
                            "pins",
                            "instances",
                            "settings",
                            "events");
        }
    }
}
