package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code prepared_statements}: whether a client that has prepared keeps its server connection. */
@Timeout(60)
class PreparedStatementsTest {
    /** So that the first execution prepares. */
    private static final String OPTIONS =
            "user=sa;password=" + PASSWORD + ";enablePrepareOnFirstPreparedStatementCall=true";

    @TempDir
    private Path directory;

    private static int ask(PreparedStatement statement, int value) throws SQLException {
        statement.setInt(1, value);
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getInt(1);
        }
    }

    private static long pins(RunningProxy running) {
        return running.proxy.glance("one").pool().connections().stream()
                .filter(connection -> connection.pinReason() == PinReason.PREPARED_STATEMENT)
                .count();
    }

    @Test
    void theyPinWhereThatIsConfigured() throws Exception {
        whenTwoHaveExecuted("max_connections: 2, prepared_statements: pin", running -> {
            assertThat(pins(running)).isEqualTo(2);
            assertThat(running.server.counters().handleExecutions())
                    .as("each but the first of a client")
                    .isEqualTo(8);
        });
    }

    @Test
    void otherwiseTheyShare() throws Exception {
        whenTwoHaveExecuted("max_connections: 1", running -> {
            assertThat(pins(running)).isZero();
            assertThat(running.server.counters().handleExecutions())
                    .as("by handles, which could have pinned")
                    .isPositive();
        });
    }

    private void whenTwoHaveExecuted(String bucket, Consumer<RunningProxy> check) throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", bucket + ", trust_server_certificate: true");
                Connection first = running.connect("main", OPTIONS);
                Connection second = running.connect("main", OPTIONS);
                PreparedStatement one = first.prepareStatement("SELECT ? + 1");
                PreparedStatement two = second.prepareStatement("SELECT ? + 2")) {
            for (int i = 0; i < 5; i++) {
                assertThat(ask(one, i)).isEqualTo(i + 1);
                assertThat(ask(two, i)).isEqualTo(i + 2);
            }
            check.accept(running);
        }
    }
}
