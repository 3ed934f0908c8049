package dev.comporta.e2e.top;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.Instance;
import dev.comporta.app.Main;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.ClosedPort;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code comporta top} as an operator uses it: in a terminal, by keys. */
@Timeout(180)
class TopInTerminalTest {
    private static final String TOKEN = "a-token-of-tests-0123456789";
    private static final String LOGIN = "user=" + RawClient.USER + ";password=" + RawClient.PASSWORD + ";databaseName=";

    @TempDir
    private Path directory;

    private static Instance start(Standin server) throws IOException {
        return LocalInstance.start("""
                instance_id: proxy-1
                tls: {mode: off}
                admin: {token: %s}
                """.formatted(TOKEN), """
                buckets:
                  - {id: lisboa, host: 127.0.0.1, port: %1$d, database: AppDB, max_connections: 1, encrypt: off,
                     min_idle: 0, queue_timeout: 120s}
                  - {id: porto, host: 127.0.0.1, port: %1$d, database: Porto, max_connections: 3, encrypt: off,
                     min_idle: 0}
                """.formatted(server.port()));
    }

    /** As the launcher starts it. A script, because the line would be longer than a terminal takes. */
    private Path command() throws IOException {
        Path script = directory.resolve("top");
        Files.writeString(
                script,
                "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp '"
                        + System.getProperty("java.class.path") + "' " + Main.class.getName() + " top \"$@\"\n");
        return script;
    }

    private static String row(Tmux terminal, String bucket) {
        return terminal.lines().stream()
                .filter(line -> line.startsWith(bucket + " "))
                .findFirst()
                .orElse("");
    }

    @Test
    void theFleetIsWatchedByKeysAndTheTerminalIsLeftAsItWas() throws Exception {
        try (ClosedPort nobody = new ClosedPort();
                Standin server = Standin.builder()
                        .database("AppDB")
                        .database("Porto")
                        .login(RawClient.USER, RawClient.PASSWORD)
                        .start();
                Instance instance = start(server);
                ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
                Connection keeper = Jdbc.mssql(instance.proxy().port(), LOGIN + "AppDB;applicationName=keeper");
                Connection waiter = Jdbc.mssql(instance.proxy().port(), LOGIN + "AppDB;applicationName=waiter");
                Connection other = Jdbc.mssql(instance.proxy().port(), LOGIN + "Porto;applicationName=other");
                Tmux terminal = new Tmux(directory, 140, 40, List.of("COMPORTA_ADMIN_TOKEN=" + TOKEN))) {
            ask(other, "SELECT 1");
            run(keeper, "BEGIN TRANSACTION");
            Future<String> answer = background.submit(() -> ask(waiter, "SELECT 7"));
            String start = "sh " + command() + " 127.0.0.1:" + instance.healthPort() + " " + nobody.address();

            terminal.type("cd " + directory + "; clear; stty -g > before");
            // With a backslash, for this line itself is on the screen too.
            terminal.type("sh() { command sh \"$@\"; stty -g > after; cmp before after && echo same\\ settings; }");
            terminal.type(start);
            terminal.awaitScreen(
                    "both buckets, the one that waits first",
                    screen ->
                            screen.matches("(?s).*\nlisboa +up +2 +1 +0 +1 +1 +1 .*\nporto +up +1 +0 +1 +0 +0 +3 .*"));
            assertThat(terminal.lines().get(0)).endsWith("1 of 2 instances answered");
            assertThat(terminal.lines().get(1))
                    .startsWith("3 clients, server connections 1 in use, 1 idle, limit 4, 1 waiting");
            assertThat(terminal.lines().get(2)).isEqualTo(nobody.address() + " is not reachable: connection refused");
            assertThat(terminal.isOtherScreen()).isTrue();

            terminal.press("Enter");
            terminal.awaitScreen(
                    "the pin, the waiting request, the login and the clients",
                    screen -> screen.contains("bucket lisboa is up")
                            && screen.matches("(?s).*Pins: 1\n.*transaction +\\S+s +\\d+ +sa +keeper .*")
                            && screen.matches("(?s).*Waiting: 1\n.*\n +1 +\\S+s +\\d+ +sa +proxy-1\n.*")
                            && screen.matches("(?s).*Clients: 2\n.* waiting +sa +waiter .* sa +keeper .*"));

            run(keeper, "COMMIT");
            assertThat(answer.get()).isEqualTo("7");
            terminal.awaitScreen(
                    "nobody waiting any more",
                    screen -> screen.contains("Pins: none") && screen.contains("Waiting: none"));

            terminal.press("Escape");
            terminal.awaitScreen("all buckets", screen -> screen.contains("2 buckets by pressure"));
            terminal.press("j", "Enter");
            terminal.awaitScreen("the other bucket", screen -> screen.contains("bucket porto is up"));
            terminal.press("Escape", "s");
            terminal.awaitScreen("another order", screen -> screen.contains("2 buckets by requests/s"));
            terminal.press("/", "l", "i", "s", "Enter");
            terminal.awaitScreen(
                    "one bucket", screen -> screen.contains("1 bucket by requests/s, filter: lis (1 hidden)"));
            assertThat(row(terminal, "porto")).isEmpty();
            terminal.press("p");
            terminal.awaitScreen("the pause", screen -> screen.contains("answered, PAUSED"));
            terminal.resize(70, 12);
            terminal.awaitScreen(
                    "a smaller frame",
                    screen -> screen.stripTrailing().lines().count() == 12 && screen.contains("q quit"));
            assertThat(terminal.lines()).allMatch(line -> line.length() <= 70);

            terminal.press("q");
            awaitRestored(terminal);
            terminal.type("clear");
            terminal.type(start);
            terminal.awaitScreen("a frame", screen -> screen.contains("2 buckets by pressure"));
            terminal.press("C-c");
            awaitRestored(terminal);
        }
    }

    private static void awaitRestored(Tmux terminal) throws Exception {
        terminal.awaitScreen("the shell again", screen -> screen.contains("same settings"));
        assertThat(terminal.isOtherScreen()).isFalse();
        assertThat(terminal.isCursorShown()).isTrue();
        assertThat(terminal.screen()).doesNotContain("buckets by");
    }
}
