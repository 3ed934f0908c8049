package dev.comporta.app;

import static dev.comporta.app.RunningProxy.ask;
import static dev.comporta.app.RunningProxy.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientLimitsTest {
    /** One connection, which a client keeps until it leaves: when the next gets in, it has left. */
    private static final String ONE_AT_A_TIME =
            "max_connections: 1, pool_mode: session, trust_server_certificate: true";

    private static final String ONE_SHARED = "max_connections: 1, trust_server_certificate: true";

    @TempDir
    private Path directory;

    @Test
    void anIdleClientIsClosed() throws Exception {
        try (RunningProxy running =
                        RunningProxy.start(directory, "session_timeout: 0, idle_timeout: 100ms", ONE_AT_A_TIME);
                Connection idle = running.connect();
                Connection next = running.connect()) {
            assertThat(ask(next, "SELECT 1")).isEqualTo("1");
            assertThat(idle.isValid(5)).isFalse();
        }
    }

    @Test
    void aClientInATransactionIsNotIdle() throws Exception {
        try (RunningProxy running =
                        RunningProxy.start(directory, "session_timeout: 0, idle_timeout: 100ms", ONE_AT_A_TIME);
                Connection client = running.connect()) {
            run(client, "BEGIN TRANSACTION");
            // Somebody else who can't get in lets the time pass.
            assertThatThrownBy(
                            () -> running.connect("main", "user=sa;loginTimeout=3;password=" + RunningProxy.PASSWORD))
                    .isInstanceOf(SQLException.class);
            assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("1");
        }
    }

    @Test
    void aSessionThatIsOverEndsAfterItsTransaction() throws Exception {
        try (RunningProxy running =
                        RunningProxy.start(directory, "idle_timeout: 0, session_timeout: 100ms", ONE_SHARED);
                Connection client = running.connect()) {
            run(client, "BEGIN TRANSACTION");
            run(client, "WAITFOR DELAY '00:00:02.500'");
            run(client, "CREATE TABLE kept (id INT)");
            run(client, "COMMIT");
            assertThat(client.isValid(5)).isFalse();
            try (Connection next = running.connect()) {
                assertThat(ask(next, "SELECT COUNT(*) FROM kept")).isEqualTo("0");
            }
        }
    }

    @Test
    void anOverdueRequestIsCancelledAndTheSessionGoesOn() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "query_timeout: 100ms", ONE_SHARED);
                Connection client = running.connect()) {
            run(client, "BEGIN TRANSACTION");
            assertThatThrownBy(() -> run(client, "WAITFOR DELAY '00:00:50'"))
                    .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                    .hasMessageContaining("Query timeout: the request ran for longer than 100 ms")
                    .extracting(SQLException::getErrorCode)
                    .isEqualTo(50006);
            assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("1");
            run(client, "ROLLBACK");
            assertThat(running.server.counters().attentions()).isEqualTo(1);
        }
    }

    @Test
    void aTransactionLeftAloneIsRolledBack() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "idle_in_transaction_timeout: 100ms", ONE_SHARED);
                Connection client = running.connect()) {
            run(client, "CREATE TABLE notes (id INT)");
            run(client, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
            try (Connection next = running.connect()) {
                // Waits for the connection that the transaction holds.
                assertThat(ask(next, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
            }
            assertThat(client.isValid(5)).isFalse();
        }
    }
}
