package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits hold from a reload on: what comes before them may take as long as it does on a busy machine. */
@Timeout(60)
class ClientLimitsTest {
    private static final String NO_LIMITS = "session_timeout: 0, idle_timeout: 0";

    /** A client keeps its connection until it leaves. */
    private static final String ONE_AT_A_TIME =
            "max_connections: 1, pool_mode: session, trust_server_certificate: true";

    private static final String TWO_AT_A_TIME =
            "max_connections: 2, pool_mode: session, trust_server_certificate: true";

    private static final String ONE_SHARED = "max_connections: 1, trust_server_certificate: true";

    @TempDir
    private Path directory;

    @Test
    void anIdleClientIsClosed() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE_AT_A_TIME);
                Connection idle = running.connect()) {
            limit(running, "session_timeout: 0, idle_timeout: 100ms", ONE_AT_A_TIME);
            awaitFewerThan(1, running);
            limit(running, NO_LIMITS, ONE_AT_A_TIME);
            try (Connection next = running.connect()) {
                assertThat(ask(next, "SELECT 1")).isEqualTo("1");
            }
            assertThat(idle.isValid(5)).isFalse();
        }
    }

    @Test
    void aClientInATransactionIsNotIdle() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, TWO_AT_A_TIME);
                Connection client = running.connect()) {
            run(client, "BEGIN TRANSACTION");
            try (Connection _ = running.connect()) { // it rests for less long than the first
                limit(running, "session_timeout: 0, idle_timeout: 100ms", TWO_AT_A_TIME);
                awaitFewerThan(2, running);
            }
            assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("1");
        }
    }

    @Test
    void aSessionThatIsOverEndsAfterItsTransaction() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE_SHARED);
                Connection client = running.connect();
                Connection _ = running.connect()) {
            run(client, "BEGIN TRANSACTION");
            limit(running, "idle_timeout: 0, session_timeout: 100ms", ONE_SHARED);
            awaitFewerThan(2, running);
            run(client, "CREATE TABLE kept (id INT)");
            run(client, "COMMIT");
            // It goes behind the answer to that, unless it has sent something more by then.
            await().until(() -> !client.isValid(5));
            limit(running, NO_LIMITS, ONE_SHARED);
            try (Connection next = running.connect()) {
                assertThat(ask(next, "SELECT COUNT(*) FROM kept")).isEqualTo("0");
            }
        }
    }

    @Test
    void anOverdueRequestIsCancelledAndTheSessionGoesOn() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE_SHARED);
                Connection client = running.connect()) {
            run(client, "BEGIN TRANSACTION");
            limit(running, "query_timeout: 100ms", ONE_SHARED);
            assertThatThrownBy(() -> run(client, "WAITFOR DELAY '00:00:50'"))
                    .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                    .hasMessageContaining("Query timeout: the request ran for longer than 100 ms")
                    .extracting(SQLException::getErrorCode)
                    .isEqualTo(50006);
            limit(running, NO_LIMITS, ONE_SHARED);
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

    private static void limit(RunningProxy running, String settings, String bucket) throws IOException {
        running.reload(settings, RunningProxy.bucket(running.server, "one", bucket));
    }

    private static void awaitFewerThan(int clients, RunningProxy running) {
        await().until(() -> running.proxy.glance("one").clients() < clients);
    }
}
