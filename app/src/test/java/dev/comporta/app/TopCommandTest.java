package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.command.TopCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
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

    private static String nobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    @Test
    void aFrameShowsWhatTheInstanceDoesAndWhoDoesNotAnswer() throws Exception {
        String silent = nobody();
        try (RunningProxy running = RunningProxy.start(
                        directory,
                        "instance_id: one, admin: {token: " + TOKEN + "}",
                        "encrypt: off, max_connections: 3");
                CannedApi other = CannedApi.saying(200, "{\"results\":[],\"messages\":[]}");
                Connection resting = running.connect();
                Connection busy = running.connect()) {
            ask(resting, "SELECT 1");
            run(busy, "BEGIN TRANSACTION");
            assertThat(top("--once", silent, "127.0.0.1:" + running.instance.healthPort(), other.address()))
                    .isZero();
            List<String> lines = out.toString().lines().toList();
            assertThat(lines.get(0)).endsWith(": 1 of 3 instances answered");
            assertThat(lines.get(1))
                    .startsWith("2 clients, server connections 1 in use, ")
                    .contains("limit 3, 0 waiting, ");
            assertThat(lines.get(2)).isEqualTo(silent + " is not reachable: connection refused");
            assertThat(lines.get(3)).startsWith(other.address() + " is not reachable: unexpected answer");
            assertThat(lines.get(6)).matches("one +up +2 +1 +\\d +1 +0 +3 +[0-9.]+ +\\S+ms +\\S+s +\\S+s +\\S+s");
            assertThat(lines).hasSize(7);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void nobodyAnsweringEndsWithThree() throws IOException {
        assertThat(top("--once", nobody())).isEqualTo(3);
    }

    @Test
    void whatIsMisspeltEndsWithTwo() {
        assertThat(top("--once", "--delay", "0")).isEqualTo(2);
        assertThat(top("--once", "--delay", "NaN")).isEqualTo(2);
        assertThat(top("--once", "two hosts")).isEqualTo(2);
    }
}
