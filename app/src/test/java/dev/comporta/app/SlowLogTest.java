package dev.comporta.app;

import static dev.comporta.app.Http.scrape;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.app.slow.SlowRequestLog;
import dev.comporta.testkit.LogLines;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slow requests in the log of an instance. */
@Timeout(120)
class SlowLogTest {
    private static final String BUCKET = "max_connections: 2, encrypt: off";
    private static final String SLOW = "WAITFOR DELAY '00:00:00.050'; SELECT 'hunter2' AS answer";

    @TempDir
    private Path directory;

    private static List<ILoggingEvent> about(LogLines log, String part) {
        return log.events().stream()
                .filter(event -> event.getFormattedMessage().contains(part))
                .toList();
    }

    private static void reload(RunningProxy running, String settings) throws Exception {
        running.reload(settings, RunningProxy.bucket(running.server, "one", BUCKET));
    }

    @Test
    void aSlowRequestLeavesOneLineWithoutItsValues() throws Exception {
        try (LogLines log = new LogLines(SlowRequestLog.LOGGER);
                RunningProxy running = RunningProxy.start(directory, "slow_request: 50ms", BUCKET);
                Connection client = running.connect()) {
            assertThat(ask(client, SLOW)).isEqualTo("hunter2");
            await().until(() -> !about(log, "WAITFOR").isEmpty());
            List<ILoggingEvent> lines = about(log, "WAITFOR");
            assertThat(lines).hasSize(1);
            assertThat(lines.getFirst().getFormattedMessage())
                    .matches(
                            "slow request, completed after \\d+\\.\\d ms: bucket one, client 1 at 127\\.0\\.0\\.1:\\d+,"
                                    + " login sa; waited \\d+\\.\\d ms, first byte after \\d+\\.\\d ms, 1 rows, \\d+ bytes received,"
                                    + " \\d+ sent, 0 errors, not pinned; statement [0-9a-f]{16}:"
                                    + " WAITFOR DELAY \\?; SELECT \\? AS answer");
            Map<String, Object> values = lines.getFirst().getKeyValuePairs().stream()
                    .collect(Collectors.toMap(pair -> pair.key, pair -> pair.value));
            assertThat(values)
                    .containsEntry("bucket", "one")
                    .containsEntry("client", 1L)
                    .containsEntry("login", "sa")
                    .containsEntry("rows", 1L)
                    .containsEntry("pinned", "no")
                    .doesNotContainKey("sql");
            assertThat(log.lines()).noneMatch(line -> line.contains("hunter2"));
            assertThat(scrape(running.instance).value("proxy_slow_requests_total{bucket=\"one\"}"))
                    .isPositive();
        }
    }

    @Test
    void itIsTurnedOnAndOffByAReloadAndShowsTheTextOnRequest() throws Exception {
        try (LogLines log = new LogLines(SlowRequestLog.LOGGER);
                RunningProxy running = RunningProxy.start(directory, "slow_request: 0", BUCKET);
                Connection client = running.connect()) {
            ask(client, "WAITFOR DELAY '00:00:00.050'; SELECT 1 AS untold");
            reload(running, "slow_request: 1ms, log_sql: true");
            ask(client, "WAITFOR DELAY '00:00:00.050'; SELECT\n'hunter2' AS shown");
            await().until(() -> !about(log, "AS shown").isEmpty());
            assertThat(about(log, "AS shown").getFirst().getFormattedMessage())
                    .endsWith("; SQL: WAITFOR DELAY '00:00:00.050'; SELECT\\n'hunter2' AS shown");
            reload(running, "slow_request: 1ms");
            ask(client, "WAITFOR DELAY '00:00:00.050'; SELECT 'hunter2' AS hidden");
            await().until(() -> !about(log, "AS hidden").isEmpty());
            assertThat(about(log, "AS hidden"))
                    .noneMatch(line -> line.getFormattedMessage().contains("hunter2"));
            reload(running, "slow_request: 0");
            ask(client, "WAITFOR DELAY '00:00:00.050'; SELECT 1 AS untold_again");
            reload(running, "slow_request: 1ms");
            ask(client, "WAITFOR DELAY '00:00:00.050'; SELECT 1 AS told");
            await().until(() -> !about(log, "AS told").isEmpty());
            assertThat(about(log, "AS untold")).isEmpty();
        }
    }

    /** The first execution prepares; the others name the handle alone. */
    @Test
    void ofAPreparedStatementItsTextIsKnownAtEveryExecution() throws Exception {
        try (LogLines log = new LogLines(SlowRequestLog.LOGGER);
                RunningProxy running = RunningProxy.start(directory, "slow_request: 1us", BUCKET);
                Connection client = running.connect();
                PreparedStatement statement = client.prepareStatement("SELECT ? AS prepared")) {
            for (int i = 0; i < 4; i++) {
                statement.setInt(1, i);
                statement.executeQuery().close();
            }
            await().until(() -> about(log, "AS prepared").size() == 4);
            assertThat(about(log, "by sp_execute: SELECT ? AS prepared")).isNotEmpty();
        }
    }
}
