package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passwords are the server's to judge; what it has said is believed for {@code credential_ttl} and no longer. */
@Timeout(60)
class PasswordChangeTest {
    private static final int LOGIN_FAILED = 18_456;
    private static final String OTHER_PASSWORD = "Changed!2";

    @TempDir
    private Path directory;

    @Test
    void aChangedPasswordCountsAtOnceAndTheOldOneNoLongerThanItIsBelieved() throws Exception {
        String bucket = "max_connections: 3, trust_server_certificate: true, credential_ttl: 500ms";
        try (RunningProxy running = RunningProxy.start(directory, "", bucket);
                Connection before = running.connect()) {
            assertThat(ask(before, "SELECT 1")).isEqualTo("1");
            assertThatThrownBy(() -> connect(running, OTHER_PASSWORD))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(LOGIN_FAILED));

            running.server.engine().createLogin("sa", OTHER_PASSWORD, "AppDB");
            try (Connection changed = connect(running, OTHER_PASSWORD)) {
                assertThat(ask(changed, "SELECT 2")).isEqualTo("2");
            }
            await().until(() -> isRefused(running, RunningProxy.PASSWORD));
            // Who is in stays in, as at the server.
            assertThat(ask(before, "SELECT 3")).isEqualTo("3");
        }
    }

    private static Connection connect(RunningProxy running, String password) throws SQLException {
        return running.connect("main", "user=sa;password=" + password);
    }

    private static boolean isRefused(RunningProxy running, String password) {
        try (Connection connection = connect(running, password)) {
            return connection.isClosed();
        } catch (SQLException e) {
            return e.getErrorCode() == LOGIN_FAILED;
        }
    }
}
