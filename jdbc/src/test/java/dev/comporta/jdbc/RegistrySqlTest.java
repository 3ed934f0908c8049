package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.comporta.console.Outcome;
import dev.comporta.console.table.Column;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.ServerStatistics;
import dev.comporta.jdbc.stub.StubServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class RegistrySqlTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SECRET = "s3cret";

    private final StubServer server = new StubServer();
    private final ServerRegistry registry = new ServerRegistry();

    @BeforeEach
    void registerDriver() throws SQLException {
        DriverManager.registerDriver(server);
    }

    @AfterEach
    void closeAll() throws SQLException {
        registry.close();
        DriverManager.deregisterDriver(server);
        assertThat(server.open()).isZero();
    }

    /** The last outcome in one line. */
    private String ask(String sql, @Nullable Object... parameters) throws SQLException {
        return switch (registry.sql().execute(sql, parameters).getLast()) {
            case Outcome.Rows rows ->
                rows.rows().stream()
                        .map(row -> IntStream.range(0, row.size())
                                .mapToObj(i -> String.valueOf(row.get(i)))
                                .collect(Collectors.joining("|")))
                        .collect(Collectors.joining("; "));
            case Outcome.Done done -> done.message();
            case Outcome.Failed failed -> throw new AssertionError(failed);
        };
    }

    private void create(String more) throws SQLException {
        ask("CREATE SERVER orders OPTIONS (jdbcUrl 'jdbc:stub:orders', min_connections '0', warmup_on_create 'false',"
                + " shutdownTimeout '100'" + more + ")");
    }

    @Test
    void aServerIsCreatedMappedUsedAlteredAndDropped() throws SQLException {
        assertThat(ask("CREATE SERVER orders FOREIGN DATA WRAPPER jdbc_fdw OPTIONS (jdbcUrl 'jdbc:stub:orders',"
                        + " max_connections '1', min_connections '0', acquire_timeout '5', shutdownTimeout '100')"))
                .isEqualTo("Server orders created: jdbc:stub:orders."
                        + " Map users to logins: CREATE USER MAPPING FOR user SERVER orders.");
        assertThat(ask("CREATE USER MAPPING FOR ana SERVER orders OPTIONS (user 'remote_ana', password ?)", SECRET))
                .isEqualTo("User mapping for ana at server orders created.");
        try (Connection only = registry.acquire("orders", "ana", PATIENCE)) {
            assertThatThrownBy(() -> registry.acquire("orders", "ana")).hasMessageContaining("1 of 1");
            assertThat(ask("ALTER SERVER orders OPTIONS (SET max_connections '2')"))
                    .isEqualTo("Server orders changed: jdbc:stub:orders.");
            try (Connection another = registry.acquire("orders", "ana", PATIENCE)) {
                assertThat(another.isClosed()).isFalse();
            }
            assertThat(only.isClosed()).isFalse();
        }
        assertThat(server.logins().getFirst())
                .containsEntry("user", "remote_ana")
                .containsEntry("password", SECRET);
        assertThat(ask("DROP SERVER orders")).isEqualTo("Server orders dropped, and its user mappings with it.");
        assertThat(registry.servers()).isEmpty();
        assertThat(ask("DROP SERVER IF EXISTS orders")).isEqualTo("There is no server 'orders': nothing changed.");
    }

    /** Whom a local user is logged in as. */
    private String userOf(String localUser) throws SQLException {
        try (Connection connection = registry.acquire("orders", localUser, PATIENCE)) {
            return StubServer.state(connection).user();
        }
    }

    @Test
    void aMappingIsAlteredAndDroppedAndEverybodyElseIsPublic() throws SQLException {
        create("");
        ask("CREATE USER MAPPING FOR ana SERVER orders OPTIONS (user 'old', password 'p')");
        ask("CREATE USER MAPPING FOR PUBLIC SERVER orders OPTIONS (user 'anybody')");
        registry.acquire("orders", "ana", PATIENCE).close();
        ask("ALTER USER MAPPING FOR ana SERVER orders OPTIONS (SET user 'new')");
        registry.acquire("orders", "ana", PATIENCE).close();
        assertThat(userOf("rui")).as("who has no mapping of its own").isEqualTo("anybody");
        assertThat(ask("DROP USER MAPPING FOR ana SERVER orders"))
                .isEqualTo("User mapping for ana at server orders dropped.");
        assertThat(userOf("ana")).as("who has none any more").isEqualTo("anybody");
        assertThat(server.logins())
                .extracting(p -> p.getProperty("user"))
                .containsExactly("old", "new", "anybody", "anybody");
        assertThat(server.logins().get(1)).containsEntry("password", "p");
        assertThat(ask("DROP USER MAPPING IF EXISTS FOR ana SERVER orders"))
                .isEqualTo("There is no mapping for ana at server 'orders': nothing changed.");
        assertThat(ask("DROP USER MAPPING IF EXISTS FOR ana SERVER nowhere")).contains("nothing changed");
    }

    @Test
    void aNewMappingOpensItsFirstConnections() throws SQLException {
        ask("CREATE SERVER orders OPTIONS (jdbcUrl 'jdbc:stub:orders', min_connections '0', warmup_connections '2',"
                + " shutdownTimeout '100')");
        assertThat(server.connects()).isZero();
        ask("CREATE USER MAPPING FOR ana SERVER orders OPTIONS (user 'u')");
        await().atMost(PATIENCE).until(() -> registry.statistics("orders").idle() == 2);
    }

    @Test
    void anotherUrlReplacesConnectionsAsTheyComeBack() throws SQLException {
        create(", user 'app'");
        Connection kept = registry.acquire("orders", "", PATIENCE);
        assertThat(ask("ALTER SERVER orders OPTIONS (SET jdbcUrl 'jdbc:stub:elsewhere', ADD max_lifetime '60000')"))
                .isEqualTo("Server orders changed: jdbc:stub:elsewhere."
                        + " Its connections are replaced, idle ones now, others when they are returned.");
        assertThat(ask("SELECT state, marked_for_eviction FROM sys.remote_connections"))
                .isEqualTo("active|true");
        try (Connection replaced = registry.acquire("orders", "", PATIENCE)) {
            assertThat(StubServer.state(replaced).url()).isEqualTo("jdbc:stub:elsewhere");
        }
        assertThat(server.connections())
                .as("what is lent stays")
                .extracting(StubServer.StubConnection::url)
                .containsExactlyInAnyOrder("jdbc:stub:orders", "jdbc:stub:elsewhere");
        kept.close();
        await().atMost(PATIENCE).until(() -> server.open() == 1);
        assertThat(server.connections())
                .extracting(StubServer.StubConnection::url)
                .containsExactly("jdbc:stub:elsewhere");
    }

    /** A client that waits for a connection. */
    private CompletableFuture<Connection> waiter() {
        CompletableFuture<Connection> waits = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                waits.complete(registry.acquire("orders", "", PATIENCE));
            } catch (SQLException e) {
                waits.completeExceptionally(e);
            }
        });
        await().atMost(PATIENCE)
                .until(() -> ask("SELECT waiting FROM sys.remote_pool_stats").equals("1"));
        return waits;
    }

    @Test
    void whoWaitsIsRefusedWhenItsServerIsDropped() throws Exception {
        create(", user 'app', max_connections '1'");
        Connection only = registry.acquire("orders", "", PATIENCE);
        CompletableFuture<Connection> waits = waiter();
        ask("DROP SERVER orders");
        assertThatThrownBy(() -> waits.get(2, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("pool orders: closed");
        only.close();
        assertThat(ask("SELECT COUNT(*) FROM sys.remote_pool_stats")).isEqualTo("0");
    }

    @Test
    void viewsShowWhatTheStatisticsSay() throws SQLException {
        create(", user 'app', max_connections '3', collect_query_stats 'true'");
        ask("CREATE SERVER idle OPTIONS (jdbcUrl 'jdbc:stub:idle;password=" + SECRET + "')");
        ask("CREATE USER MAPPING FOR bia SERVER orders OPTIONS (user 'bia')");
        Connection ana = registry.acquire("orders", "ana", PATIENCE);
        StubServer.execute(ana, "SELECT 1");
        registry.acquire("orders", "bia", PATIENCE).close();
        registry.acquire("orders", "bia", PATIENCE).close();
        ask("ALTER SERVER orders OPTIONS (SET max_connections '1')");
        assertThatThrownBy(() -> registry.acquire("orders", "bia", Duration.ofMillis(5)))
                .isInstanceOf(SQLException.class);
        await("what is beyond the new limit is closed")
                .atMost(PATIENCE)
                .until(() -> registry.statistics("orders").total() == 1);
        ServerStatistics now = registry.statistics("orders");
        assertThat(ask("SELECT * FROM sys.remote_pool_stats ORDER BY server_name DESC"))
                .isEqualTo("orders|generic|true|1|1|0|0|3|1; idle|generic|true|0|0|0|0|0|0");
        assertThat(columns("remote_pool_stats"))
                .containsExactly(
                        "server_name",
                        "db_type",
                        "healthy",
                        "total_conns",
                        "active",
                        "idle",
                        "waiting",
                        "acquires",
                        "timeouts");
        ServerStatistics.UserPool bia = now.users().stream()
                .filter(user -> user.localUser().equals("bia"))
                .findFirst()
                .orElseThrow();
        assertThat(bia.acquires()).isEqualTo(2);
        assertThat(bia.timeouts()).isEqualTo(1);
        assertThat(ask("SELECT total_acquires, total_releases, connections_created, acquire_timeouts,"
                        + " validation_failures FROM sys.remote_user_pool_stats WHERE local_user = 'bia'"))
                .isEqualTo(bia.acquires() + "|" + bia.releases() + "|" + bia.created() + "|1|0");
        assertThat(ask("SELECT local_user, state, use_count, query_count, marked_for_eviction"
                        + " FROM sys.remote_connections WHERE state = 'active'"))
                .isEqualTo("ana|active|1|1|false");
        assertThat(ask("SELECT url, queries_executed, total_user_pools, unhealthy_reason FROM sys.remote_servers"
                        + " WHERE server_name = 'orders'"))
                .isEqualTo("jdbc:stub:orders|1|2|null");
        assertThat(ask("SELECT url, queries_executed, last_activity FROM sys.remote_servers WHERE db_type = 'generic'"
                        + " AND server_name = 'idle'"))
                .isEqualTo("jdbc:stub:idle;password=***|null|null");
        assertThat(ask("SELECT TOP 1 DATEDIFF(second, created_at, GETDATE()) FROM sys.remote_servers"))
                .matches("\\d{1,3}");
        ana.close();
    }

    @Test
    void loansThatTheCoreIsNotToldOfAreCountedToo() throws SQLException {
        create(", user 'app', reset_on_release 'false'");
        for (int i = 0; i < 50; i++) {
            registry.acquire("orders", "ana", PATIENCE).close();
        }
        assertThat(ask("SELECT acquires FROM sys.remote_pool_stats")).isEqualTo("50");
        assertThat(ask("SELECT total_acquires FROM sys.remote_user_pool_stats")).isEqualTo("50");
        assertThat(ask("SELECT SUM(use_count) FROM sys.remote_connections")).isEqualTo("50");
    }

    private List<String> columns(String view) throws SQLException {
        return registry.sql().execute("SELECT * FROM sys." + view).getLast() instanceof Outcome.Rows rows
                ? rows.columns().stream().map(Column::name).toList()
                : List.of();
    }

    @Test
    void theOtherViewsHaveTheFieldsOfTheirStructures() throws SQLException {
        assertThat(columns("remote_user_pool_stats"))
                .containsExactly(
                        "server_name",
                        "local_user",
                        "total_connections",
                        "active_connections",
                        "idle_connections",
                        "waiting_requests",
                        "total_acquires",
                        "total_releases",
                        "connections_created",
                        "connections_destroyed",
                        "acquire_timeouts",
                        "validation_failures",
                        "avg_connection_lifetime_sec",
                        "avg_acquire_wait_ms");
        assertThat(columns("remote_connections"))
                .containsExactly(
                        "connection_id",
                        "server_name",
                        "local_user",
                        "state",
                        "created_at",
                        "last_used",
                        "last_validated",
                        "expires_at",
                        "use_count",
                        "query_count",
                        "marked_for_eviction");
        assertThat(columns("remote_servers"))
                .containsExactly(
                        "server_name",
                        "db_type",
                        "url",
                        "healthy",
                        "unhealthy_reason",
                        "paused",
                        "max_connections",
                        "total_user_pools",
                        "total_releases",
                        "connection_errors",
                        "queries_executed",
                        "avg_acquire_time_ms",
                        "avg_query_time_ms",
                        "created_at",
                        "last_activity");
    }

    @Test
    void aPausedServerLendsNothingUntilItIsResumed() throws Exception {
        create(", user 'app'");
        registry.acquire("orders", "", PATIENCE).close(); // one is ready
        assertThat(ask("PAUSE orders")).isEqualTo("Server orders paused: new requests wait in the queue.");
        assertThat(ask("SELECT paused FROM sys.remote_servers")).isEqualTo("true");
        assertThatThrownBy(() -> registry.acquire("orders", "", Duration.ofMillis(5)))
                .hasMessageContaining("the pool is suspended");
        CompletableFuture<Connection> waits = waiter();
        assertThat(waits).isNotDone();
        assertThat(ask("RESUME")).isEqualTo("Server orders resumed.");
        waits.get(2, TimeUnit.MINUTES).close();
        assertThat(ask("RECONNECT orders")).startsWith("Server orders: its connections are replaced");
        await().atMost(PATIENCE).until(() -> server.open() == 0);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            CREATE SERVER orders OPTIONS (jdbcUrl 'jdbc:stub:x')             => There is a server 'orders' already. ALTER SERVER changes it.
            CREATE SERVER x OPTIONS (jdbcUrl 'jdbc:nowhere:x;password=s3cret') => no driver accepts jdbcUrl jdbc:nowhere:x;password=***
            CREATE SERVER x OPTIONS (max_connections '3')                    => jdbcUrl is not set
            CREATE SERVER x OPTIONS (jdbcUrl 'jdbc:stub:x', pasword 's3cret') => there is no setting pasword: did you mean password?
            CREATE SERVER x OPTIONS (jdbcUrl 'jdbc:stub:x', max_connections 'many') => maximumPoolSize is "many": set a whole number
            CREATE SERVER x OPTIONS (jdbcUrl 'jdbc:stub:x', idle_timeout '5 years') => idleTimeout is "5 years": set a duration
            CREATE SERVER x FOREIGN DATA WRAPPER mysq_fdw OPTIONS (host 'h') => there is no wrapper mysq_fdw: did you mean mysql_fdw?
            CREATE SERVER x FOREIGN DATA WRAPPER h2 OPTIONS (wrapper 'h2')   => The wrapper is given twice
            ALTER SERVER order OPTIONS (SET max_connections '3')             => There is no server 'order'. Did you mean 'orders'?
            ALTER SERVER orders OPTIONS (SET max_conections '3')             => did you mean max_connections?
            ALTER SERVER orders OPTIONS (SET max_connections '0')            => maximumPoolSize is "0"
            ALTER SERVER orders OPTIONS (DROP connect_rate)                  => connectRate is not set: there is nothing to drop
            ALTER SERVER orders OPTIONS (SET max_connections '3', SET maxConnections '4') => maximumPoolSize is changed twice
            ALTER SERVER orders OPTIONS (ADD host 'h')                       => jdbcUrl is set, and so is one of host
            DROP SERVER order                                                => There is no server 'order'. Did you mean 'orders'?
            CREATE USER MAPPING FOR ana SERVER orders OPTIONS (user 'u')     => There is a mapping for ana at server orders already.
            CREATE USER MAPPING FOR rui SERVER orders OPTIONS (usr 'u')      => There is no option usr of a user mapping: did you mean user?
            CREATE USER MAPPING FOR rui SERVER orders OPTIONS (user 'u', username 's3cret') => user is set twice
            CREATE USER MAPPING FOR rui SERVER nowhere OPTIONS (user 'u')    => There is no server 'nowhere'.
            ALTER USER MAPPING FOR rui SERVER orders OPTIONS (SET password 's3cret') => There is no mapping for rui at server orders.
            ALTER USER MAPPING FOR ana SERVER orders OPTIONS (DROP password) => password is not set
            ALTER USER MAPPING FOR code SERVER orders OPTIONS (SET password 's3cret') => was made by code or from a file
            DROP USER MAPPING FOR rui SERVER orders                          => There is no mapping for rui at server orders.
            KILL 17                                                          => KILL is not a command of this console.
            SET max_connections = 3                                          => SET is not a command of this console.
            SELECT * FROM sys.remote_pool_stat                               => remote_pool_stats
            SELECT healty FROM sys.remote_pool_stats                         => healthy
            DELETE FROM sys.remote_connections                               => read-only
            CREATE USER MAPPING FOR rui SERVER orders OPTIONS (password "s3cret") => Incorrect syntax in OPTIONS
            """)
    void aMistakeIsOneErrorThatSaysWhatToDoAndChangesNothing(String sql, String error) throws SQLException {
        create("");
        registry.mapUser("orders", "code", Credentials.of("u", SECRET));
        ask("CREATE USER MAPPING FOR ana SERVER orders OPTIONS (user 'u')");
        for (String user : List.of("ana", "code")) {
            registry.acquire("orders", user, PATIENCE).close();
        }
        assertThatThrownBy(() -> registry.sql().execute(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat((Object) e.getNextException())
                                .as("another error")
                                .isNull())
                .hasMessageContaining(error)
                .message()
                .doesNotContain(SECRET);
        assertThat(registry.servers()).containsExactly("orders");
        assertThat(registry.statistics("orders").max()).isEqualTo(10);
        assertThat(registry.statistics("orders").url()).isEqualTo("jdbc:stub:orders");
        for (String user : List.of("ana", "code")) {
            registry.acquire("orders", user, PATIENCE).close();
        }
        assertThat(server.connects()).as("nobody's connection was replaced").isEqualTo(2);
        assertThatThrownBy(() -> registry.acquire("orders", "rui", PATIENCE)).hasMessageContaining("no mapping");
    }

    @Test
    void noLogLineHasAPasswordWhateverTheLevel() throws SQLException {
        Logger root = (Logger) LoggerFactory.getLogger("dev.comporta");
        Level before = root.getLevel();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        root.addAppender(lines);
        root.setLevel(Level.TRACE);
        try {
            create(", user 'app', password '" + SECRET + "'");
            ask("CREATE USER MAPPING FOR ana SERVER orders OPTIONS (user 'u', password '" + SECRET + "')");
            ask("ALTER USER MAPPING FOR ana SERVER orders OPTIONS (SET password '" + SECRET + "x')");
            assertThatThrownBy(
                            () -> ask("ALTER SERVER orders OPTIONS (SET max_connections 'x', SET password 's3crety')"))
                    .hasMessageContaining("maximumPoolSize");
            server.refusal = () -> new SQLException("login failed", "28000");
            assertThatThrownBy(() -> registry.acquire("orders", "ana", PATIENCE))
                    .isInstanceOf(SQLException.class);
            ask("DROP SERVER orders");
        } finally {
            root.setLevel(before);
            root.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        "registry command by application: CREATE SERVER orders: done",
                        "registry command by application: ALTER USER MAPPING FOR ana SERVER orders: done")
                .noneMatch(line -> line.contains(SECRET));
        assertThat(lines.list)
                .extracting(ILoggingEvent::getThrowableProxy)
                .filteredOn(thrown -> thrown != null)
                .noneMatch(thrown -> ThrowableProxyUtil.asString(thrown).contains(SECRET));
    }

    @Test
    void aResizeByCodeIsKeptWhenACommandChangesSomethingElse() throws SQLException {
        create(", max_connections '5'");
        registry.resize("orders", 7);
        ask("ALTER SERVER orders OPTIONS (SET idle_timeout '60000')");
        assertThat(registry.statistics("orders").max()).isEqualTo(7);
    }
}
