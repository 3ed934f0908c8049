package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.watch.RelaySnapshot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What drivers do that a proxy could trip over, on one server connection. */
@Timeout(60)
class DriverHabitsTest {
    private static final String LEVEL =
            "SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID";

    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(1);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** The driver asks for the rows of each fetch without their columns, which it knows. */
    @Test
    void aCursorAtTheServerIsReadToItsEnd() throws Exception {
        try (Connection connection = fixture.connect("selectMethod=cursor")) {
            run(connection, "CREATE TABLE digits (n INT NOT NULL PRIMARY KEY)");
            run(connection, "INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(3);
                int sum = 0;
                try (ResultSet rows = statement.executeQuery("SELECT n FROM digits ORDER BY n")) {
                    while (rows.next()) {
                        sum += rows.getInt(1);
                    }
                }
                assertThat(sum).isEqualTo(45);
            }
            assertThat(fixture.proxy.glance("one").pool().pins().get(PinReason.CURSOR))
                    .as("pins for a cursor at the server")
                    .isPositive();
        }
    }

    @Test
    void smallPacketsPassBothWays() throws Exception {
        String long7 = "x".repeat(7_000);
        try (Connection small = fixture.connect("packetSize=512");
                Connection other = fixture.connect()) {
            run(small, "SET LOCK_TIMEOUT 5000");
            RelaySnapshot before = fixture.proxy.glance("one").relay();
            for (int i = 0; i < 3; i++) {
                assertThat(ask(other, "SELECT @@LOCK_TIMEOUT")).isEqualTo("-1");
                assertThat(ask(small, "SELECT CONCAT('" + long7 + "', @@LOCK_TIMEOUT)"))
                        .isEqualTo(long7 + "5000");
            }
            // Each of three requests has 14,000 bytes, and its answer 7,000.
            RelaySnapshot after = fixture.proxy.glance("one").relay();
            assertThat(after.packetsSent().get("sql_batch")
                            - before.packetsSent().get("sql_batch"))
                    .isGreaterThan(3 * 14_000 / 512);
            assertThat(after.packetsReceived().get("tabular_result")
                            - before.packetsReceived().get("tabular_result"))
                    .isGreaterThan(3 * 7_000 / 512);
        }
    }

    /** It loses the answer to its login when that comes before it has ended TLS; so it is not asked to end it. */
    @Test
    void jtdsKeepsTheTlsThatItLogsInWith() throws Exception {
        StringWriter log = new StringWriter();
        DriverManager.setLogWriter(new PrintWriter(log));
        try (Connection connection = fixture.connectJtds("ssl=request")) {
            assertThat(ask(connection, "SELECT 1")).isEqualTo("1");
        } finally {
            DriverManager.setLogWriter(null);
        }
        assertThat(log.toString()).contains("Enabling TLS encryption").doesNotContain("Disabling TLS encryption");
    }

    /** Its connection is cleaned, and so no longer in the isolation level that both have set. */
    @Test
    void aVanishedClientDoesNotTakeTheIsolationLevelOfAnotherWithIt() throws Exception {
        try (Connection stays = fixture.connect()) {
            run(stays, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            Connection vanishes = fixture.connect();
            run(vanishes, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            run(vanishes, "BEGIN TRANSACTION");
            vanishes.abort(Runnable::run);
            assertThat(ask(stays, LEVEL)).isEqualTo("4");
        }
    }
}
