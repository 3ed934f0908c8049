package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every error of the proxy's own leaves one line about the client that got it, at its login and later. */
@Timeout(90)
class RefusalLinesTest {
    private static final String NO_LIMITS = "session_timeout: 0, idle_timeout: 0, tls: {mode: off}";
    private static final String ONE = "max_connections: 1, encrypt: off";
    private static final String SOON = ", queue_timeout: 100ms";
    private static final String SESSION = ", pool_mode: session";

    private final LogLines log = new LogLines("dev.comporta");

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        log.close();
    }

    private static String client(RawClient client) {
        return "127.0.0.1:" + client.localPort();
    }

    private static Map<String, String> fields(ILoggingEvent event) {
        return event.getKeyValuePairs() == null
                ? Map.of()
                : event.getKeyValuePairs().stream()
                        .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
    }

    private List<ILoggingEvent> linesAbout(RawClient client) {
        return log.events().stream()
                .filter(event -> event.getFormattedMessage().contains(client(client) + ",")
                        || event.getFormattedMessage().contains(client(client) + " ")
                        || client(client).equals(fields(event).get("client")))
                .toList();
    }

    /** @param bucket empty where the client was refused before it had one */
    private void leavesOneLine(RunningProxy running, RawClient client, int error, String bucket) throws Exception {
        assertThat(client.errorNumber()).isEqualTo(error);
        client.close();
        await().until(() -> !isThere(running, client));
        List<ILoggingEvent> lines = linesAbout(client);
        assertThat(lines).as("%s", lines).hasSize(1);
        assertThat(fields(lines.getFirst()))
                .containsEntry("error", Integer.toString(error))
                .containsEntry("bucket", bucket)
                .containsEntry("login", "sa")
                .hasEntrySatisfying("reason", reason -> assertThat(reason).contains(": "));
        assertThat(lines.getFirst().getFormattedMessage())
                .contains(Integer.toString(error), "sa", client(client))
                .contains(bucket);
    }

    private static boolean isThere(RunningProxy running, RawClient client) {
        return new ConsoleClient(running.instance)
                .ask("SELECT address FROM sys.clients")
                .contains(client(client));
    }

    private static RawClient comes(RunningProxy running) throws Exception {
        RawClient client = new RawClient(running.proxy.port("main"));
        client.sendLogin();
        return client;
    }

    private static RawClient loggedIn(RunningProxy running) throws Exception {
        return RawClient.loggedIn(running.proxy.port("main"));
    }

    private static Connection holder(RunningProxy running) throws Exception {
        Connection holder = running.connect("main", "user=sa;encrypt=false;password=" + RunningProxy.PASSWORD);
        run(holder, "BEGIN TRANSACTION");
        return holder;
    }

    private static RawClient asks(RawClient client, String sql) {
        client.sendBatch(sql);
        return client;
    }

    // At the login.

    @Test
    void e50000AnEntraLoginInPlainText() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE)) {
            RawClient client = new RawClient(running.proxy.port("main"));
            client.sendLogin(login -> login.userName("sa")
                    .password(Secret.ofText(""))
                    .features(List.of(new FeatureExtension(FeatureExtension.FEDAUTH, new byte[] {2, 0, 0, 0, 0}))));
            leavesOneLine(running, client, 50000, "one");
        }
    }

    @Test
    void e50001MoreClientsThanAllowed() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS + ", limits: {max_clients: 1}", ONE);
                RawClient _ = loggedIn(running)) {
            leavesOneLine(running, comes(running), 50001, "");
        }
    }

    @Test
    void e50002NoRoute() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE)) {
            RawClient client = new RawClient(running.proxy.port("main"));
            client.sendLogin(
                    login -> login.userName("sa").database("Nowhere").password(Secret.ofText(RunningProxy.PASSWORD)));
            leavesOneLine(running, client, 50002, "");
        }
    }

    @Test
    void e50003AServerThatIsNotThere() throws Exception {
        try (RunningProxy running =
                RunningProxy.start(directory, NO_LIMITS, ONE + ", when_down: refuse, health: {failure_threshold: 1}")) {
            running.server.close();
            leavesOneLine(running, comes(running), 50003, "one");
        }
    }

    @Test
    void e50004And50007AndALoginThatWaitsInSessionMode() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE + SESSION);
                RawClient _ = loggedIn(running)) {
            RawClient killed = comes(running);
            await().until(() -> running.proxy.glance("one").pool().waiting() == 1);
            running.proxy.kill(newest(running)).get();
            leavesOneLine(running, killed, 50007, "one");
            running.reload(NO_LIMITS, RunningProxy.bucket(running.server, "one", ONE + SESSION + SOON));
            leavesOneLine(running, comes(running), 50004, "one");
        }
    }

    @Test
    void e50005ALoginThatFindsTheQueueFull() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE + SESSION + ", max_queue_size: 1");
                RawClient _ = loggedIn(running);
                RawClient _ = comes(running)) {
            await().until(() -> running.proxy.glance("one").pool().waiting() == 1);
            leavesOneLine(running, comes(running), 50005, "one");
        }
    }

    // Later.

    @Test
    void e50001APoolThatIsExhausted() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE + ", exhaustion_policy: fail_fast");
                RawClient client = loggedIn(running);
                Connection _ = holder(running)) {
            leavesOneLine(running, asks(client, "SELECT 1"), 50001, "one");
        }
    }

    @Test
    void e50003AServerThatIsLostWhileItAnswers() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE);
                RawClient client = loggedIn(running)) {
            long before = running.server.counters().requests();
            asks(client, "WAITFOR DELAY '00:00:50'");
            await().until(() -> running.server.counters().requests() > before);
            running.server.sessions().forEach(session -> running.server.kill(session.spid()));
            leavesOneLine(running, client, 50003, "one");
        }
    }

    @Test
    void e50004And50005ARequestInTheQueue() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE + ", max_queue_size: 1");
                RawClient second = loggedIn(running);
                RawClient third = loggedIn(running);
                Connection _ = holder(running)) {
            try (RawClient first = loggedIn(running)) {
                asks(first, "SELECT 1");
                await().until(() -> running.proxy.glance("one").pool().waiting() == 1);
                leavesOneLine(running, asks(second, "SELECT 1"), 50005, "one");
            }
            await().until(() -> running.proxy.glance("one").pool().waiting() == 0);
            running.reload(NO_LIMITS, RunningProxy.bucket(running.server, "one", ONE + SOON));
            leavesOneLine(running, asks(third, "SELECT 1"), 50004, "one");
        }
    }

    @Test
    void e50006And50007ARequestThatRuns() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, NO_LIMITS, ONE);
                RawClient killed = loggedIn(running);
                RawClient late = loggedIn(running)) {
            long before = running.server.counters().requests();
            asks(killed, "WAITFOR DELAY '00:00:50'");
            await().until(() -> running.server.counters().requests() > before);
            running.proxy.kill(newest(running) - 1).get();
            leavesOneLine(running, killed, 50007, "one");
            running.reload(NO_LIMITS + ", query_timeout: 100ms", RunningProxy.bucket(running.server, "one", ONE));
            leavesOneLine(running, asks(late, "WAITFOR DELAY '00:00:50'"), 50006, "one");
        }
    }

    private static long newest(RunningProxy running) throws Exception {
        return running.proxy.clients().get().keySet().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
    }
}
