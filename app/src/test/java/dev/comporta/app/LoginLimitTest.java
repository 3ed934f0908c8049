package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A login's limit is one for all ways to write its name. */
@Timeout(60)
class LoginLimitTest {
    private static final String BUCKET = "max_connections: 4, pool_mode: session, trust_server_certificate: true, ";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"max_connections_per_login: 1", "logins: [{username: Sa, max_connections: 1}]"})
    void aLoginInOtherLettersCountsOnTheSameLimit(String limit) throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET + limit);
                Connection other = running.connect("main", "user=other;password=" + PASSWORD);
                Connection first = running.connect("main", "user=sa;password=" + PASSWORD)) {
            assertThat(ask(first, "SELECT 1")).isEqualTo("1");
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            // Long enough for a login, as the third shows, and short enough for the test.
            String impatient = BUCKET + "queue_timeout: 3s, " + limit;
            running.reload("", RunningProxy.bucket(running.server, "one", impatient));
            running.connect("main", "user=third;password=" + PASSWORD).close();
            assertThatThrownBy(() -> {
                        try (Connection second = running.connect("main", "user=SA;password=" + PASSWORD)) {
                            ask(second, "SELECT 1");
                        }
                    })
                    .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                    .extracting(SQLException::getErrorCode)
                    .isEqualTo(50004);
        }
    }
}
