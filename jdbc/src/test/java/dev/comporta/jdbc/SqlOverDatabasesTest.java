package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.console.Outcome;
import dev.comporta.jdbc.db.PostgresDatabase;
import dev.comporta.jdbc.db.TestDatabase;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The SQL of the user's specification, against real databases. */
class SqlOverDatabasesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static PostgresDatabase postgres;

    private final ServerRegistry registry = new ServerRegistry();

    @BeforeAll
    static void startPostgres() throws Exception {
        postgres = new PostgresDatabase();
    }

    @AfterAll
    static void stopPostgres() throws Exception {
        postgres.stop();
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private Object first(String sql) throws SQLException {
        return registry.sql().execute(sql).getLast() instanceof Outcome.Rows rows
                ? rows.rows().getFirst().get(0)
                : "";
    }

    private void createLegacy() throws SQLException {
        registry.sql().execute("""
                CREATE SERVER legacy_pg
                    FOREIGN DATA WRAPPER postgresql_fdw
                    OPTIONS (
                        host 'localhost',
                        port '%d',
                        dbname 'postgres',
                        -- Pool configuration
                        min_connections '2',
                        max_connections '20',
                        connect_timeout '5000',
                        query_timeout '30000',
                        idle_timeout '300000',
                        -- Health check
                        health_check_interval '30000',
                        health_check_query 'SELECT 1',
                        -- Behavior
                        reset_on_release 'true',
                        validate_on_acquire 'false'
                    );
                """.formatted(
                        URI.create(postgres.url().substring("jdbc:".length())).getPort()));
        registry.sql()
                .execute(
                        "CREATE USER MAPPING FOR admin SERVER legacy_pg OPTIONS (user ?, password ?)",
                        postgres.user(),
                        postgres.password());
    }

    @Test
    void theServerOfTheSpecificationServesAndChangesWhileALoanRuns() throws SQLException {
        createLegacy();
        try (Connection loan = registry.acquire("legacy_pg", "admin", PATIENCE);
                Statement statement = loan.createStatement()) {
            String session = TestDatabase.ask(loan, postgres.sessionId());
            assertThat(statement.getQueryTimeout()).isEqualTo(30);
            assertThat(first(
                            "SELECT db_type FROM sys.remote_pool_stats WHERE server_name = 'legacy_pg' AND active = 1"))
                    .isEqualTo("postgresql");
            registry.sql()
                    .execute("ALTER SERVER legacy_pg OPTIONS (SET max_connections '1', SET acquire_timeout '50')");
            assertThatThrownBy(() -> registry.acquire("legacy_pg", "admin")).isInstanceOf(SQLException.class);
            assertThat(TestDatabase.ask(loan, postgres.sessionId())).isEqualTo(session);
            assertThat(first("SELECT timeouts FROM sys.remote_pool_stats")).isEqualTo(1L);
        }
        registry.sql().execute("ALTER USER MAPPING FOR admin SERVER legacy_pg OPTIONS (SET password 'wrong')");
        assertThatThrownBy(() -> registry.acquire("legacy_pg", "admin", PATIENCE))
                .hasMessageContaining("the server rejects the login of admin")
                .message()
                .doesNotContain("wrong");
        registry.sql()
                .execute("ALTER USER MAPPING FOR admin SERVER legacy_pg OPTIONS (SET password ?)", postgres.password());
        registry.acquire("legacy_pg", "admin", PATIENCE).close();
        registry.sql().execute("DROP SERVER legacy_pg");
        // The driver closes without waiting for the end of the session.
        await().atMost(PATIENCE).until(() -> postgres.sessions() == 0);
    }

    @Test
    void aQueryBeyondItsTimeIsCancelledAndTheConnectionServesOn() throws SQLException {
        createLegacy();
        registry.sql().execute("ALTER SERVER legacy_pg OPTIONS (SET query_timeout '1000')");
        try (Connection loan = registry.acquire("legacy_pg", "admin", PATIENCE)) {
            assertThatThrownBy(() -> TestDatabase.run(loan, "SELECT pg_sleep(600)"))
                    .isInstanceOf(SQLException.class)
                    .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("57014"));
            assertThat(TestDatabase.ask(loan, "SELECT 7")).isEqualTo("7");
        }
    }

    @Test
    void queriesAreCountedAndTimedOnlyWhenAskedFor() throws SQLException {
        createLegacy();
        registry.sql()
                .execute("CREATE SERVER h2 FOREIGN DATA WRAPPER h2_fdw OPTIONS (dbname 'mem:counted', user 'sa',"
                        + " collect_query_stats 'true')");
        registry.acquire("legacy_pg", "admin", PATIENCE).close();
        try (Connection loan = registry.acquire("h2", "any", PATIENCE);
                PreparedStatement prepared = loan.prepareStatement("SELECT ?")) {
            prepared.setInt(1, 1);
            prepared.executeQuery().close();
            prepared.execute();
            TestDatabase.run(loan, "SELECT 1");
            assertThatThrownBy(() -> TestDatabase.run(loan, "SELECT * FROM nowhere"))
                    .isInstanceOf(SQLException.class);
            assertThat(
                            first(
                                    "SELECT query_count FROM sys.remote_connections WHERE server_name = 'h2' AND state = 'active'"))
                    .isEqualTo(4L);
        }
        assertThat(registry.poolStatistics("h2").queryTime()).isNotNull();
        assertThat(first("SELECT queries_executed FROM sys.remote_servers WHERE server_name = 'h2'"))
                .isEqualTo(4L);
        assertThat(first("SELECT 1 FROM sys.remote_servers WHERE avg_query_time_ms > 0"))
                .isEqualTo(1);
        assertThat(first("SELECT COUNT(queries_executed) FROM sys.remote_servers WHERE server_name = 'legacy_pg'"))
                .isEqualTo(0);
    }
}
