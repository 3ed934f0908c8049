package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.testkit.Jdbc;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of TDS 7.1, which has no word for transactions and resets, beside clients of 7.4 in the same bucket. */
@Timeout(60)
class OldClientsTest {
    private static final int EXECUTIONS = 60;

    private ProxyFixture fixture;
    private Connection modern;
    private Connection one;
    private Connection two;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(2);
        modern = fixture.connect();
        run(modern, "CREATE TABLE notes (id INT)");
        one = fixture.connectJtds();
        two = fixture.connectJtds();
    }

    @AfterEach
    void stop() throws Exception {
        one.close();
        two.close();
        modern.close();
        fixture.close();
    }

    @Test
    void theirTransactionsAreTheirOwnThoughAnotherClientsServerTells() throws Exception {
        run(one, "BEGIN TRANSACTION");
        run(one, "INSERT INTO notes VALUES (1)");
        for (int i = 0; i < 5; i++) {
            assertThat(ask(two, "SELECT @@TRANCOUNT")).isEqualTo("0");
            assertThat(ask(modern, "SELECT @@TRANCOUNT")).isEqualTo("0");
            assertThat(ask(one, "SELECT @@TRANCOUNT")).isEqualTo("1");
        }
        run(two, "INSERT INTO notes VALUES (2)");
        run(one, "ROLLBACK");
        assertThat(ask(modern, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
        one.setAutoCommit(false);
        run(one, "INSERT INTO notes VALUES (3)");
        run(two, "INSERT INTO notes VALUES (4)");
        one.commit();
        one.setAutoCommit(true);
        assertThat(ask(modern, "SELECT COUNT(*) FROM notes")).isEqualTo("3");
    }

    @Test
    void theyAreAskedForThoughTheConfigurationSaysThatTheServerTells() throws Exception {
        try (Proxy proxy = fixture.startBeside(BucketSpec.TransactionTracking.ENVCHANGE);
                Connection first = Jdbc.jtds(proxy.port(), "");
                Connection second = Jdbc.jtds(proxy.port(), "")) {
            run(first, "BEGIN TRANSACTION");
            for (int i = 0; i < 5; i++) {
                assertThat(ask(second, "SELECT @@TRANCOUNT")).isEqualTo("0");
                assertThat(ask(first, "SELECT @@TRANCOUNT")).isEqualTo("1");
            }
        }
    }

    @Test
    void preparedStatementsFindTheirHandles() throws Exception {
        try (PreparedStatement first = one.prepareStatement("SELECT ? + 1");
                PreparedStatement second = two.prepareStatement("SELECT ? + 2")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                assertThat(executed(first, i)).isEqualTo(i + 1);
                assertThat(executed(second, i)).isEqualTo(i + 2);
            }
        }
    }

    private static int executed(PreparedStatement statement, int value) throws Exception {
        statement.setInt(1, value);
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void aConnectionThatChangesHandsIsResetThoughNobodySaysSo() throws Exception {
        try (ProxyFixture narrow = ProxyFixture.start(1);
                Connection first = narrow.connectJtds();
                Connection second = narrow.connectJtds()) {
            run(first, "SET DATEFIRST 3");
            String session = ask(first, "SELECT @@SPID");
            assertThat(ask(second, "SELECT CONCAT(@@SPID, '/', @@DATEFIRST)")).isEqualTo(session + "/7");
            assertThat(ask(first, "SELECT @@DATEFIRST")).isEqualTo("3");
        }
    }
}
