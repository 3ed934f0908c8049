package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.microsoft.sqlserver.jdbc.SQLServerAccessTokenCallback;
import com.microsoft.sqlserver.jdbc.SQLServerDataSource;
import com.microsoft.sqlserver.jdbc.SqlAuthenticationToken;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.testkit.LeakWatch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logins that can't be shared, each with a server connection of its own. */
@Timeout(60)
class DedicatedTest {
    private static final String TOKEN = "a token that somebody signed";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LITTLE_PATIENCE = Duration.ofMillis(100);

    private final LeakWatch leaks = new LeakWatch();

    @AfterEach
    void noBufferIsLost() {
        leaks.assertNone();
        leaks.close();
    }

    @Test
    void aWindowsLoginIsMadeAtTheServerItself() throws Exception {
        try (ProxyFixture fixture = start(2)) {
            try (Connection ana = windows(fixture, "Secret-2")) {
                assertThat(ask(ana, "SELECT SUSER_SNAME()")).isEqualTo("CORP\\ana");
                run(ana, "CREATE TABLE #hers (id INT)");
                assertThat(ask(ana, "SELECT COUNT(*) FROM #hers")).isEqualTo("0");
                assertThat(fixture.proxy.glance("one").pool().count(ConnectionState.PINNED))
                        .isEqualTo(1);
                assertThat(fixture.proxy.glance("one").pool().pins().get(PinReason.SESSION_MODE))
                        .isEqualTo(1L);
                assertThat(fixture.proxy.glance("one").clients()).isEqualTo(1);
            }
            nothingIsLeft(fixture);
        }
    }

    @Test
    void jtdsLogsInByNtlmToo() throws Exception {
        try (ProxyFixture fixture = start(2);
                Connection ana = DriverManager.getConnection(
                        "jdbc:jtds:sqlserver://127.0.0.1:" + fixture.proxy.port() + "/AppDB;domain=CORP;useNTLMv2=true",
                        "ana",
                        "Secret-2")) {
            assertThat(ask(ana, "SELECT SUSER_SNAME()")).isEqualTo("CORP\\ana");
        }
    }

    @Test
    void aConnectionOfOnesOwnIsNotUsedAgain() throws Exception {
        try (ProxyFixture fixture = start(1)) {
            for (int i = 1; i <= 3; i++) {
                try (Connection ana = windows(fixture, "Secret-2")) {
                    assertThat(ask(ana, "SELECT 1")).isEqualTo("1");
                }
                assertThat(fixture.server.counters().logins()).isEqualTo(i);
            }
            assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
            assertThat(fixture.server.counters().resets()).isZero();
        }
    }

    @Test
    void aWindowsLoginThatFailsGetsTheServersOwnError() throws Exception {
        try (ProxyFixture fixture = start(2)) {
            getsError(18456, () -> windows(fixture, "Secret-3"));
            nothingIsLeft(fixture);
        }
    }

    @Test
    void aTokenInTheLoginIsTakenToTheServer() throws Exception {
        try (ProxyFixture fixture = start(2)) {
            SQLServerDataSource source = source(fixture);
            source.setAccessToken(TOKEN);
            try (Connection ana = source.getConnection()) {
                assertThat(ask(ana, "SELECT SUSER_SNAME()")).isEqualTo("ana@corp");
            }
            source.setAccessToken("another");
            getsError(18456, source::getConnection);
            nothingIsLeft(fixture);
        }
    }

    @Test
    void theServerSaysWhereToGetATokenAndIsSentIt() throws Exception {
        try (ProxyFixture fixture = start(2)) {
            SQLServerDataSource source = source(fixture);
            List<String> told = new CopyOnWriteArrayList<>();
            source.setAccessTokenCallback(new SQLServerAccessTokenCallback() {
                @Override
                public SqlAuthenticationToken getAccessToken(String spn, String stsUrl) {
                    told.add(stsUrl + " for " + spn);
                    return new SqlAuthenticationToken(
                            TOKEN, Date.from(Instant.now().plusSeconds(3600)));
                }
            });
            try (Connection ana = source.getConnection()) {
                assertThat(ask(ana, "SELECT SUSER_SNAME()")).isEqualTo("ana@corp");
            }
            assertThat(told).containsExactly("https://login.standin.invalid/common for https://standin.invalid/");
        }
    }

    @Test
    void aTokenIsNotSentToAServerInPlainText() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.accessToken(TOKEN, "ana@corp"),
                limit(2))) {
            SQLServerDataSource source = source(fixture);
            source.setAccessToken(TOKEN);
            getsError(50003, source::getConnection);
            nothingIsLeft(fixture);
            assertThat(fixture.server.counters().failedLogins()).isZero();
            assertThat(fixture.server.counters().logins())
                    .as("it would have been let in")
                    .isZero();
        }
    }

    @Test
    void theLimitHoldsForThoseWhoShareAndThoseWhoDoNot() throws Exception {
        try (ProxyFixture fixture = start(1)) {
            try (Connection ana = windows(fixture, "Secret-2")) {
                ask(ana, "SELECT 1");
                fixture.patience(LITTLE_PATIENCE);
                getsError(50004, () -> windows(fixture, "Secret-2"));
                getsError(50004, fixture::connect);
                fixture.patience(PATIENCE);
            }
            try (Connection shared = fixture.connect()) {
                assertThat(ask(shared, "SELECT 1")).isEqualTo("1");
                // Idle, and so it makes room.
                try (Connection ana = windows(fixture, "Secret-2")) {
                    assertThat(ask(ana, "SELECT 1")).isEqualTo("1");
                    fixture.patience(LITTLE_PATIENCE);
                    getsError(50004, () -> ask(shared, "SELECT 1"));
                    fixture.patience(PATIENCE);
                }
                assertThat(ask(shared, "SELECT 1")).isEqualTo("1");
            }
            assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        }
    }

    @Test
    void whoWaitsIsServedWhenTheConnectionBeforeHasEnded() throws Exception {
        try (ProxyFixture fixture = start(1)) {
            CompletableFuture<String> second;
            try (Connection first = windows(fixture, "Secret-2")) {
                ask(first, "SELECT 1");
                second = CompletableFuture.supplyAsync(() -> {
                    try (Connection next = windows(fixture, "Secret-2")) {
                        return ask(next, "SELECT SUSER_SNAME()");
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                });
                await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            }
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("CORP\\ana");
            assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        }
    }

    @Test
    void theReservoirKeepsNothingForThem() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                DedicatedTest::accounts,
                settings -> settings.maxConnections(5).minIdle(2))) {
            try (Connection ana = windows(fixture, "Secret-2")) {
                assertThat(ask(ana, "SELECT 1")).isEqualTo("1");
                assertThat(fixture.proxy.glance("one").pool().connections()).hasSize(1);
            }
            nothingIsLeft(fixture);
            assertThat(fixture.server.counters().connections())
                    .as("hers alone, before and after")
                    .isEqualTo(1);
        }
    }

    @Test
    void aServerThatDiesTakesItsClientWithIt() throws Exception {
        try (ProxyFixture fixture = start(2);
                Connection ana = windows(fixture, "Secret-2")) {
            assertThat(fixture.server.kill(Integer.parseInt(ask(ana, "SELECT @@SPID"))))
                    .isTrue();
            assertThatThrownBy(() -> ask(ana, "SELECT 1")).isInstanceOf(SQLException.class);
            nothingIsLeft(fixture);
        }
    }

    @Test
    void aServerThatHangsUpDuringTheLoginIsTold() throws Exception {
        try (ProxyFixture fixture = start(2)) {
            fixture.settings(ProxyFixture::refusing);
            fixture.server.misbehave(Misbehaviour.NONE.withDropConnections(true));
            getsError(50003, () -> windows(fixture, "Secret-2"));
            nothingIsLeft(fixture);
        }
    }

    @Test
    void aLargeResultComesWholeAndCanBeCancelled() throws Exception {
        try (ProxyFixture fixture = start(2);
                Connection ana = windows(fixture, "Secret-2")) {
            run(
                    ana,
                    "CREATE TABLE numbers (n INT); INSERT INTO numbers VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
            String many = "SELECT a.n, REPLICATE('x', 2000) FROM numbers a, numbers b, numbers c, numbers d";
            try (Statement statement = ana.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT a.n, REPLICATE('x', 2000) FROM numbers a, numbers b, numbers c")) {
                int count = 0;
                while (rows.next()) {
                    assertThat(rows.getString(2)).hasSize(2000);
                    count++;
                }
                assertThat(count).isEqualTo(1000);
            }
            try (Statement statement = ana.createStatement();
                    ResultSet rows = statement.executeQuery(many)) {
                rows.next();
                statement.cancel();
            }
            assertThat(ask(ana, "SELECT COUNT(*) FROM numbers")).isEqualTo("10");
            assertThat(fixture.server.counters().attentions()).isEqualTo(1);
        }
    }

    private static ProxyFixture start(int limit) throws IOException {
        return ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION, ServerDial.Mode.ON, DedicatedTest::accounts, limit(limit));
    }

    private static UnaryOperator<BucketSettings.Builder> limit(int limit) {
        return settings -> settings.maxConnections(limit).minIdle(0).queue(new QueueSettings(PATIENCE, 10));
    }

    private static Standin.Builder accounts(Standin.Builder server) {
        return server.windowsLogin("CORP\\ana", "Secret-2").accessToken(TOKEN, "ana@corp");
    }

    private static Connection windows(ProxyFixture fixture, String password) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                + ";databaseName=AppDB;encrypt=false;integratedSecurity=true;authenticationScheme=NTLM;domain=CORP;user=ana"
                + ";connectRetryCount=0;password=" + password);
    }

    private static SQLServerDataSource source(ProxyFixture fixture) {
        SQLServerDataSource source = new SQLServerDataSource();
        source.setServerName("127.0.0.1");
        source.setPortNumber(fixture.proxy.port());
        source.setDatabaseName("AppDB");
        source.setEncrypt("true");
        source.setTrustServerCertificate(true);
        source.setConnectRetryCount(0);
        return source;
    }

    private static void nothingIsLeft(ProxyFixture fixture) {
        await().untilAsserted(() -> {
            assertThat(fixture.proxy.glance("one").clients()).isZero();
            assertThat(fixture.proxy.glance("one").pool().connections()).isEmpty();
            assertThat(fixture.proxy.glance("one").pool().slots().held()).isZero();
            assertThat(fixture.server.counters().sessionsOpen()).isZero();
        });
    }
}
