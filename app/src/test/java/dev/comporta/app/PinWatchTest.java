package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.comporta.testkit.LogLines;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that keep a server connection for too long. */
@Timeout(60)
class PinWatchTest {
    private static final String TWO = "max_connections: 2, encrypt: off";
    private static final String WARN = "max_pin_time: 100ms";
    private static final String CLOSE = "max_pin_time: 100ms, max_pin_action: close";
    private static final String NO_LIMIT = "idle_timeout: 0";

    @TempDir
    private Path directory;

    private static Connection connect(RunningProxy running, String application) throws SQLException {
        return running.connect(
                "main",
                "user=sa;password=" + RunningProxy.PASSWORD + ";connectRetryCount=0;applicationName=" + application);
    }

    @Test
    void aPinIsListedAndWarnedOfOnceAndGoesOn() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, WARN, TWO);
                LogLines log = new LogLines("dev.comporta.proxy");
                Connection leaking = connect(running, "leaky");
                Connection other = connect(running, "other")) {
            ConsoleClient console = new ConsoleClient(running.instance);
            run(leaking, "CREATE TABLE notes (id INT)");
            run(leaking, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
            await().untilAsserted(() -> assertThat(console.ask("SELECT application, reason, overdue FROM sys.pins"))
                    .isEqualTo("leaky|transaction|true"));
            run(other, "CREATE TABLE #mine (id INT)");
            String warned = "SELECT login, message FROM sys.events WHERE kind = 'pin overdue' ORDER BY event_id";
            // By then the first was looked at again.
            await().until(() -> console.ask(warned).contains("(application other)"));
            assertThat(console.ask(warned))
                    .matches(
                            "sa\\|Client \\d+ \\(application leaky\\) has kept its server connection for \\d+ s because"
                                    + " of: transaction\\.; sa\\|Client \\d+ \\(application other\\) has kept its server"
                                    + " connection for \\d+ s because of: temporary_table\\.");
            assertThat(log.linesOf(Level.WARN, "has kept its server connection", "application leaky", "login sa"))
                    .hasSize(1);
            run(leaking, "COMMIT");
            assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
        }
    }

    @Test
    void aTransactionThatIsEndedIsRolledBackAndItsConnectionServesTheNext() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMIT, "max_connections: 1, encrypt: off");
                LogLines log = new LogLines("dev.comporta.proxy");
                Connection leaking = connect(running, "leaky")) {
            run(leaking, "CREATE TABLE notes (id INT)");
            run(leaking, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1); CREATE TABLE #mine (id INT)");
            running.reload(CLOSE, RunningProxy.bucket(running.server, "one", "max_connections: 1, encrypt: off"));
            try (Connection next = connect(running, "next")) {
                // Waits for the connection that the transaction holds.
                assertThat(ask(next, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
                assertThat(ask(next, "SELECT @@TRANCOUNT")).isEqualTo("0");
                assertThatThrownBy(() -> ask(next, "SELECT COUNT(*) FROM #mine"))
                        .isInstanceOf(SQLException.class);
            }
            assertThat(leaking.isValid(5)).isFalse();
            assertThat(log.linesOf(Level.INFO, "is closed: max_pin_time: ", "transaction"))
                    .hasSize(1);
            assertThat(new ConsoleClient(running.instance)
                            .ask("SELECT COUNT(*) FROM sys.events WHERE kind = 'pin ended' AND login = 'sa'"))
                    .isEqualTo("1");
        }
    }

    @Test
    void whoWaitsForAnAnswerIsToldWhyItEnds() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMIT, TWO);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection leaking = connect(running, "leaky")) {
            run(leaking, "BEGIN TRANSACTION");
            long before = running.server.counters().requests();
            Future<?> request = threads.submit(() -> {
                run(leaking, "WAITFOR DELAY '00:00:50'");
                return null;
            });
            await().until(() -> running.server.counters().requests() > before);
            running.reload(CLOSE, RunningProxy.bucket(running.server, "one", TWO));
            assertThatThrownBy(request::get)
                    .cause()
                    .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                    .hasMessageContaining("max_pin_time, because of: transaction")
                    .extracting(SQLException::getErrorCode)
                    .isEqualTo(50007);
        }
    }

    @Test
    void aTransactionThatIsIdleForTooLongLeavesALineAndAnEvent() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "idle_in_transaction_timeout: 100ms", TWO);
                LogLines log = new LogLines("dev.comporta.proxy");
                Connection client = connect(running, "idle")) {
            run(client, "BEGIN TRANSACTION");
            ConsoleClient console = new ConsoleClient(running.instance);
            await().untilAsserted(() -> assertThat(
                            console.ask("SELECT bucket, login, message FROM sys.events WHERE kind = 'pin ended'"))
                    .startsWith("one|sa|Client ")
                    .contains("(application idle) closed: idle_in_transaction_timeout; "));
            await().untilAsserted(() -> assertThat(log.linesOf(Level.INFO, "idle_in_transaction_timeout", "login sa"))
                    .hasSize(1));
        }
    }
}
