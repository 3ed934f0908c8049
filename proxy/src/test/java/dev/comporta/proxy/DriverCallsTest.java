package dev.comporta.proxy;

import static dev.comporta.proxy.ProxyFixture.PASSWORD;
import static dev.comporta.proxy.ProxyFixture.USER;
import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.sqlserver.jdbc.SQLServerConnectionPoolDataSource;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.loop.BucketSpec;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.sql.PooledConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What drivers do beyond plain statements: procedures by name, their own resets, requests that are refused. */
@Timeout(60)
class DriverCallsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void aLockTakenByAProcedureCallPinsItsClient() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(3);
                Connection client = fixture.connect()) {
            try (CallableStatement lock = client.prepareCall("{call sp_getapplock(?, ?, ?)}")) {
                lock.setString(1, "mine");
                lock.setString(2, "Exclusive");
                lock.setString(3, "Session");
                lock.execute();
            }
            assertThat(fixture.proxy.glance("one").pool().pins().get(PinReason.SESSION_LOCK))
                    .isEqualTo(1L);
            assertThat(fixture.proxy.glance("one").pool().active()).isEqualTo(1);
        }
    }

    @Test
    void aSessionContextSetByAProcedureCallPinsItsClient() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(3);
                Connection client = fixture.connect()) {
            try (CallableStatement set = client.prepareCall("{call sp_set_session_context(?, ?)}")) {
                set.setString(1, "who");
                set.setString(2, "me");
                set.execute();
            }
            assertThat(ask(client, "SELECT CAST(SESSION_CONTEXT(N'who') AS NVARCHAR(20))"))
                    .isEqualTo("me");
            assertThat(fixture.proxy.glance("one").pool().active()).isEqualTo(1);
        }
    }

    @Test
    void aDriversOwnPoolGetsTheResetItAsksFor() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1)) {
            SQLServerConnectionPoolDataSource source = new SQLServerConnectionPoolDataSource();
            source.setServerName("127.0.0.1");
            source.setPortNumber(fixture.proxy.port());
            source.setDatabaseName("AppDB");
            source.setUser(USER);
            source.setPassword(PASSWORD);
            source.setEncrypt("false");
            PooledConnection pooled = source.getPooledConnection();
            try (Connection first = pooled.getConnection()) {
                run(first, "SET DATEFIRST 3; CREATE TABLE #left (id INT)");
                assertThat(fixture.proxy.glance("one").pool().active()).isEqualTo(1);
            }
            try (Connection second = pooled.getConnection()) {
                assertThat(ask(second, "SELECT @@DATEFIRST")).isEqualTo("7");
                // The reset has taken away what pinned.
                assertThat(fixture.proxy.glance("one").pool().active()).isZero();
                getsError(208, () -> ask(second, "SELECT COUNT(*) FROM #left"));
            }
            pooled.close();
        }
    }

    @Test
    void aRequestThatIsRefusedDoesNotEndItsSession() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        settings -> settings.maxConnections(1).minIdle(0).queue(new QueueSettings(PATIENCE, 1)));
                Connection holder = fixture.connect();
                Connection waiter = fixture.connect();
                Connection refused = fixture.connect()) {
            run(waiter, "SET DATEFIRST 2");
            run(refused, "SET DATEFIRST 3");
            run(holder, "BEGIN TRANSACTION");
            CompletableFuture<Integer> timedOut = CompletableFuture.supplyAsync(() -> errorOf(waiter));
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            assertThat(errorOf(refused)).isEqualTo(50005);
            fixture.patience(Duration.ofMillis(1));
            assertThat(timedOut.get(20, TimeUnit.SECONDS)).isEqualTo(50004);
            fixture.patience(PATIENCE);
            run(holder, "COMMIT");
            assertThat(ask(waiter, "SELECT @@DATEFIRST")).isEqualTo("2");
            assertThat(ask(refused, "SELECT @@DATEFIRST")).isEqualTo("3");
        }
    }

    private static int errorOf(Connection connection) {
        try {
            ask(connection, "SELECT 1");
            throw new CompletionException(new AssertionError("it was served"));
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }
}
