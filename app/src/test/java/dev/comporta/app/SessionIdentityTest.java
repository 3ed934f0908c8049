package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code session_identity}: whose host and application a server sees. */
@Timeout(60)
class SessionIdentityTest {
    private static final String WHO = "SELECT HOST_NAME() + '/' + APP_NAME() + '/' + HOST_ID()";

    @TempDir
    private Path directory;

    private static Connection connect(RunningProxy running, String host, String application) throws SQLException {
        return running.connect(
                "main", "user=sa;password=" + PASSWORD + ";workstationID=" + host + ";applicationName=" + application);
    }

    private static String own(String hostAndApplication) {
        return hostAndApplication + "/" + ProcessHandle.current().pid();
    }

    @Test
    void aSharedConnectionHasTheInstancesNamesAndNoClients() throws Exception {
        String bucket = "max_connections: 1, trust_server_certificate: true";
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: proxy-7", bucket);
                Connection first = connect(running, "till-1", "checkout");
                Connection second = connect(running, "till-2", "reports")) {
            assertThat(ask(first, WHO)).isEqualTo(own("proxy-7/comporta"));
            assertThat(ask(second, WHO)).isEqualTo(own("proxy-7/comporta"));
            assertThat(running.server.counters().logins()).as("they share").isOne();
        }
    }

    @Test
    void withTheClientsIdentityOnlyThoseOfTheSameNamesShare() throws Exception {
        String bucket = "max_connections: 3, trust_server_certificate: true, session_identity: client";
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: proxy-7", bucket);
                Connection first = connect(running, "till-1", "checkout");
                Connection second = connect(running, "till-2", "reports");
                Connection same = connect(running, "till-1", "checkout")) {
            for (int round = 0; round < 3; round++) {
                assertThat(ask(first, WHO)).isEqualTo(own("till-1/checkout"));
                assertThat(ask(second, WHO)).isEqualTo(own("till-2/reports"));
                assertThat(ask(same, WHO)).isEqualTo(own("till-1/checkout"));
            }
            assertThat(running.server.counters().logins())
                    .as("one for each name")
                    .isEqualTo(2);
        }
    }
}
