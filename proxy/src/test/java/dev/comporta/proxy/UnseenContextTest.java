package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.engine.ServerHabits;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Session context and CONTEXT_INFO that a procedure or dynamic SQL sets, so that no text shows it. Babelfish's reset leaves
 * them: the client that set them keeps its connection, and nobody else gets it afterwards.
 */
@Timeout(60)
class UnseenContextTest {
    private ProxyFixture fixture;
    private Connection client;
    private Connection other;

    private void start(ServerHabits habits) throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.habits(habits),
                settings -> settings.maxConnections(1).minIdle(0));
        client = fixture.connect();
        other = fixture.connect();
        run(client, "CREATE PROCEDURE keep_tenant AS EXEC sp_set_session_context N'tenant', N'seven'");
        run(client, "CREATE PROCEDURE keep_info AS SET CONTEXT_INFO 0x0102");
        run(client, "CREATE PROCEDURE add_note AS INSERT INTO notes VALUES (1)");
        run(client, "CREATE TABLE notes (id INT)");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        other.close();
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXEC keep_tenant",
                "EXEC keep_info",
                "DECLARE @sql NVARCHAR(100) = N'EXEC keep_' + N'tenant'; EXEC(@sql)",
                "BEGIN TRANSACTION; EXEC keep_tenant; COMMIT TRANSACTION",
            })
    void staysWithItsClientAndEndsWithIt(String sql) throws Exception {
        start(ServerHabits.BABELFISH);
        run(client, sql);
        assertThat(isSeenBy(client)).isTrue();
        long pins = pinsForContext();
        client.close();
        for (int i = 0; i < 2; i++) {
            assertThat(isSeenBy(other)).isFalse();
        }
        assertThat(pins).isEqualTo(1);
    }

    @Test
    void isFoundWhenItsTransactionEndsByAnError() throws Exception {
        start(ServerHabits.BABELFISH);
        run(client, "SET XACT_ABORT ON; BEGIN TRANSACTION; EXEC keep_tenant");
        assertThatThrownBy(() -> ask(client, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
        assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("0");
        client.close();
        assertThat(isSeenBy(other)).isFalse();
    }

    /** The question for it is an error there, which would undo the client's work. */
    @Test
    void isNotAskedForInsideATransaction() throws Exception {
        start(ServerHabits.BABELFISH);
        run(client, "BEGIN TRANSACTION; EXEC keep_tenant");
        run(client, "EXEC add_note");
        assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("1");
        run(client, "COMMIT TRANSACTION");
        client.close();
        assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
    }

    @Test
    void procedureThatSetsNoneIsShared() throws Exception {
        start(ServerHabits.BABELFISH);
        long logins = fixture.server.counters().logins();
        for (int i = 0; i < 5; i++) {
            run(client, "EXEC add_note");
            run(other, "EXEC add_note");
        }
        await().until(() -> fixture.proxy.glance("one").pool().active() == 0);
        assertThat(fixture.server.counters().logins()).isEqualTo(logins);
    }

    @Test
    void isFoundForClientsOfTds71Too() throws Exception {
        start(ServerHabits.BABELFISH);
        try (Connection old = fixture.connectJtds()) {
            run(old, "EXEC keep_tenant");
            assertThat(isSeenBy(old)).isTrue();
        }
        try (Connection old = fixture.connectJtds()) {
            assertThat(isSeenBy(old)).isFalse();
        }
    }

    /** Over TDS 7.1 it reports no transactions either, but it says what it is, and its reset clears the context. */
    @Test
    void doesNotPinOnSqlServer() throws Exception {
        start(ServerHabits.SQL_SERVER);
        try (Connection old = fixture.connectJtds()) {
            run(old, "EXEC keep_tenant; EXEC keep_info");
            run(client, "EXEC keep_tenant; EXEC keep_info");
            assertThat(pinsForContext()).isZero();
        }
        try (Connection old = fixture.connectJtds()) {
            assertThat(isSeenBy(old)).isFalse();
            assertThat(isSeenBy(other)).isFalse();
        }
    }

    private long pinsForContext() {
        return fixture.proxy.glance("one").pool().pins().get(PinReason.SESSION_CONTEXT);
    }

    private static boolean isSeenBy(Connection connection) throws SQLException {
        return ask(
                        connection,
                        "SELECT CASE WHEN SESSION_CONTEXT(N'tenant') IS NULL AND CONTEXT_INFO() IS NULL THEN 0 ELSE 1 END")
                .equals("1");
    }
}
