package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.command.TopCommand;
import dev.comporta.testkit.ClosedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code comporta top --once}, against a real instance. */
@Timeout(60)
class TopCommandTest {
    private static final String TOKEN = "a-token-of-tests-0123456789";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int top(String... arguments) {
        return new CommandLine(new TopCommand(name -> name.equals("COMPORTA_ADMIN_TOKEN") ? TOKEN : null))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void aFrameShowsWhatTheInstanceDoesAndWhoDoesNotAnswer() throws Exception {
        try (ClosedPort nobody = new ClosedPort();
                RunningProxy running = RunningProxy.start(
                        directory,
                        "instance_id: one, admin: {token: " + TOKEN + "}",
                        "encrypt: off, max_connections: 3");
                CannedApi other = CannedApi.saying(200, "{\"results\":[],\"messages\":[]}");
                Connection resting = running.connect();
                Connection busy = running.connect()) {
            ask(resting, "SELECT 1");
            run(busy, "BEGIN TRANSACTION");
            assertThat(top("--once", nobody.address(), "127.0.0.1:" + running.instance.healthPort(), other.address()))
                    .isZero();
            List<String> lines = out.toString().lines().toList();
            assertThat(lines.get(0)).endsWith(": 1 of 3 instances answered");
            assertThat(lines.get(1))
                    .startsWith("2 clients, server connections 1 in use, ")
                    .contains("limit 3, 0 waiting, ");
            assertThat(lines.get(2)).isEqualTo(nobody.address() + " is not reachable: connection refused");
            assertThat(lines.get(3)).startsWith(other.address() + " is not reachable: unexpected answer");
            assertThat(lines.get(6)).matches("one +up +2 +1 +\\d +1 +0 +3 +[0-9.]+ +\\S+ms +\\S+s +\\S+s +\\S+s");
            assertThat(lines).hasSize(7);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void nobodyAnsweringEndsWithThree() throws IOException {
        try (ClosedPort nobody = new ClosedPort()) {
            assertThat(top("--once", nobody.address())).isEqualTo(3);
        }
    }

    @Test
    void whatIsMisspeltEndsWithTwo() {
        assertThat(top("--once", "--delay", "0")).isEqualTo(2);
        assertThat(top("--once", "--delay", "NaN")).isEqualTo(2);
        assertThat(top("--once", "two hosts")).isEqualTo(2);
    }
}
