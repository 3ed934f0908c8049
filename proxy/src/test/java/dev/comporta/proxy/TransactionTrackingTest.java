package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.PacketRelay;
import dev.comporta.testkit.RawClient;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** By the texts that reach the server: on a slow machine a connection that rests is reset meanwhile. */
    @Test
    void aRequestThatCannotTouchTransactionsIsNotFollowedByAQuestion() throws Exception {
        List<String> questions = new CopyOnWriteArrayList<>();
        try (PacketRelay relay = new PacketRelay(fixture.server.port(), (type, payload) -> {
                    String text = new String(payload, StandardCharsets.UTF_16LE);
                    if (type == PacketType.SQL_BATCH && text.contains("SELECT") && text.contains("@@TRANCOUNT")) {
                        questions.add(text.substring(text.indexOf("SELECT")));
                    }
                    return new PacketRelay.Verdict.Pass();
                });
                Proxy proxy = ProxyFixture.startProxy(
                        new ServerDial("127.0.0.1", relay.port(), ServerDial.Mode.OFF, null),
                        BucketSpec.PoolMode.TRANSACTION,
                        BucketSpec.TransactionTracking.AUTO,
                        settings -> settings.maxConnections(1).minIdle(0));
                RawClient asks = RawClient.loggedIn(proxy.port())) {
            questions.clear(); // those by which the server's habits were learned
            for (int i = 0; i < 3; i++) {
                asks.answerTo("DECLARE @x INT = 1");
            }
            assertThat(questions).isEmpty();
            assertThat(asks.answerTo("COMMIT")).anyMatch(token -> token.startsWith("ERROR"));
            asks.answerTo("DECLARE @x INT = 1"); // begins when the questions before it are answered
            assertThat(questions).as("after COMMIT alone").hasSize(1);
        }
    }
}
