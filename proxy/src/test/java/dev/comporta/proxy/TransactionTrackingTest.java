package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.engine.ServerHabits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that does not tell of transactions which T-SQL begins or ends, as Babelfish does not: it is asked, and a
 * connection inside a transaction is never shared.
 */
@Timeout(60)
class TransactionTrackingTest {
    private ProxyFixture fixture;
    private Connection client;
    private Connection other;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.habits(ServerHabits.BABELFISH),
                settings -> settings.maxConnections(2).minIdle(0));
        client = fixture.connect();
        other = fixture.connect();
        run(client, "CREATE TABLE notes (id INT)");
        run(client, "CREATE PROCEDURE open_one AS BEGIN TRANSACTION");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        other.close();
        await().until(() -> fixture.server.engine().openTransactions() == 0);
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN TRANSACTION",
                "begin tran; insert into notes values (1)",
                "SET IMPLICIT_TRANSACTIONS ON; INSERT INTO notes VALUES (1)",
                "EXEC open_one",
                "EXEC sp_executesql N'BEGIN TRANSACTION'",
                "EXEC('BEGIN TRANSACTION')",
                "IF 1 = 1 BEGIN BEGIN TRANSACTION END",
                "BEGIN TRANSACTION; COMMIT; BEGIN TRANSACTION",
                "BEGIN TRANSACTION; SELECT 1 / 0",
            })
    void aTransactionHoweverBegunIsNeverShared(String begin) throws Exception {
        try {
            run(client, begin);
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).as(begin).isIn(266, 8134);
        }
        assertThat(fixture.server.engine().openTransactions()).isEqualTo(1);
        assertThat(fixture.proxy.glance("one").pool().active()).isEqualTo(1);
        for (int i = 0; i < 4; i++) {
            assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
            assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("1");
        }
        run(client, "IF @@TRANCOUNT > 0 ROLLBACK; SET IMPLICIT_TRANSACTIONS OFF");
        assertThat(fixture.server.engine().openTransactions()).isZero();
    }

    @Test
    void anImplicitTransactionBegunByALaterRequestIsNeverShared() throws Exception {
        run(client, "SET IMPLICIT_TRANSACTIONS ON");
        run(client, "INSERT INTO notes VALUES (1)");
        for (int i = 0; i < 4; i++) {
            assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
        }
        assertThat(fixture.server.engine().openTransactions()).isEqualTo(1);
        run(client, "COMMIT");
        assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
    }

    @Test
    void aPreparedStatementThatBeginsOneIsNeverShared() throws Exception {
        try (PreparedStatement begin = client.prepareStatement("BEGIN TRANSACTION; INSERT INTO notes VALUES (?)")) {
            begin.setInt(1, 1);
            begin.execute();
        }
        for (int i = 0; i < 4; i++) {
            assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
        }
        run(client, "ROLLBACK");
    }

    @Test
    void theConnectionIsSharedAgainAfterTheEnd() throws Exception {
        run(client, "BEGIN TRANSACTION");
        run(client, "INSERT INTO notes VALUES (1)");
        run(client, "COMMIT");
        await().until(() -> fixture.proxy.glance("one").pool().active() == 0);
        assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
    }

    @Test
    void aRequestThatCannotTouchTransactionsIsNotFollowedByAQuestion() throws Exception {
        run(client, "DECLARE @x INT = 1"); // begins when the questions before it are answered
        long before = probes();
        run(client, "DECLARE @x INT = 1");
        run(client, "DECLARE @x INT = 1");
        assertThat(probes()).isEqualTo(before);
        assertThatThrownBy(() -> run(client, "COMMIT")).isInstanceOf(SQLException.class);
        run(client, "DECLARE @x INT = 1");
        assertThat(probes()).as("after COMMIT alone").isEqualTo(before + 1);
    }

    /** Not all requests that the server has counted: on a slow machine a connection that rests is reset meanwhile. */
    private long probes() {
        return fixture.proxy.glance("one").relay().ownMessages().get("probe");
    }
}
