package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.log.JsonText;
import dev.comporta.standin.Standin;
import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log that a process writes. */
@Timeout(240)
class LogProcessTest {
    private static final int FLOOD = 10_000;
    private static final int LOGIN_FAILED = 18456;
    /** Without waiting for each answer: on a busy machine that would take minutes. */
    private static final int AT_ONCE = 200;

    private static final List<String> SECRETS = List.of(
            RunningProxy.PASSWORD, "Wrong-Secret-7", "Admin-Secret-9", "Token-Secret-0123456789", "Create-Secret-6");

    private static final String SETTINGS =
            "tls: {mode: off}, session_timeout: 0, idle_timeout: 0, shutdown_timeout: 1s";

    @TempDir
    private Path directory;

    private Standin server;

    @BeforeEach
    void startServer() throws IOException {
        server = Standin.builder()
                .database("AppDB")
                .login("sa", RunningProxy.PASSWORD)
                .start();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void everyLineIsJsonWithoutASecretAndAFloodIsAFewOfThem() throws Exception {
        String settings = SETTINGS
                + ", log: {format: json, level: trace, levels: {libraries: debug}}, admin: {username: root, password: "
                + SECRETS.get(2) + ", token: " + SECRETS.get(3) + "}";
        try (ChildProxy proxy = ChildProxy.start(
                directory,
                server,
                ":",
                List.of(),
                settings,
                "max_connections: 1, encrypt: off, exhaustion_policy: fail_fast")) {
            flood(proxy);
            // The connection that the flood's holder had may be on its way back yet.
            await().until(() -> errorOfLogin(proxy, SECRETS.get(1)) == LOGIN_FAILED);
            command(proxy);
            proxy.process.destroy();
            assertThat(proxy.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            String log = proxy.log();
            List<Map<String, Object>> lines = log.lines().map(JsonText::members).toList();

            assertThat(lines)
                    .allSatisfy(line -> assertThat(line).containsKeys("timestamp", "level", "part", "message"));
            List<Map<String, Object>> refused = lines.stream()
                    .filter(line -> "relay".equals(line.get("part")))
                    .filter(line -> Long.valueOf(50001).equals(line.get("error")))
                    .toList();
            assertThat(refused)
                    .hasSizeLessThan(100)
                    .allSatisfy(line -> assertThat(line)
                            .containsEntry("level", "warn")
                            .containsEntry("bucket", "one")
                            .containsEntry("login", "sa")
                            .containsKeys("client", "client_id", "reason"));
            assertThat(refused.stream()
                            .mapToLong(line -> 1 + (Long) line.getOrDefault("more", 0L))
                            .sum())
                    .isEqualTo(FLOOD);
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .containsEntry("part", "login")
                            .containsEntry("error", 18456L)
                            .containsEntry("login", "sa"));
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .containsEntry("part", "audit")
                            .containsEntry("login", "root")
                            .containsEntry("outcome", "done")
                            .containsKeys("client", "application")
                            .hasEntrySatisfying(
                                    "command",
                                    command -> assertThat((String) command)
                                            .startsWith("CREATE SERVER two OPTIONS (")
                                            .contains("password '***'")));
            SECRETS.forEach(secret -> assertIsNotIn(log, secret));
        }
    }

    private static int errorOfLogin(ChildProxy proxy, String password) {
        try (Connection client = DriverManager.getConnection(proxy.url("").replace(RunningProxy.PASSWORD, password))) {
            throw new AssertionError("logged in with a wrong password: " + client);
        } catch (SQLException refused) {
            return refused.getErrorCode();
        }
    }

    private static void flood(ChildProxy proxy) throws Exception {
        try (RawClient client = RawClient.loggedIn(proxy.port);
                Connection holder = DriverManager.getConnection(proxy.url(""))) {
            run(holder, "BEGIN TRANSACTION");
            for (int i = 0; i < FLOOD; i += AT_ONCE) {
                for (int n = 0; n < AT_ONCE; n++) {
                    client.sendBatch("SELECT 1");
                }
                for (int n = 0; n < AT_ONCE; n++) {
                    assertThat(client.errorNumber()).isEqualTo(50001);
                }
            }
            run(holder, "ROLLBACK");
        }
    }

    private static void command(ChildProxy proxy) throws SQLException {
        try (Connection console =
                Jdbc.mssql(proxy.port, "databaseName=comporta;encrypt=false;user=root;password=" + SECRETS.get(2))) {
            run(
                    console,
                    "CREATE SERVER two OPTIONS (host '127.0.0.1', port '1', max_connections '1', min_idle '0', username 'u',"
                            + " password '" + SECRETS.get(4) + "')");
        }
    }

    /** Neither as it is, nor as it travels: as UTF-16, and as TDS scrambles it. */
    private static void assertIsNotIn(String log, String secret) {
        byte[] travels = secret.getBytes(StandardCharsets.UTF_16LE);
        byte[] scrambled = travels.clone();
        for (int i = 0; i < scrambled.length; i++) {
            int b = scrambled[i] & 0xff;
            scrambled[i] = (byte) (((b << 4) | (b >> 4)) ^ 0xa5);
        }
        String lower = log.toLowerCase(Locale.ROOT).replace(" ", "");
        assertThat(log.contains(secret)).as(secret).isFalse();
        assertThat(lower.contains(HexFormat.of().formatHex(travels))).as(secret).isFalse();
        assertThat(lower.contains(HexFormat.of().formatHex(scrambled)))
                .as(secret)
                .isFalse();
    }

    @Test
    void aReaderThatStopsDoesNotStopTheProxy() throws Exception {
        Path read = directory.resolve("read");
        Path reader = directory.resolve("reader");
        Path pipe = directory.resolve("pipe");
        String shell =
                "mkfifo '%1$s'; cat '%1$s' > '%2$s' & echo $! > '%3$s'; exec 2> '%1$s'".formatted(pipe, read, reader);
        try (ChildProxy proxy = ChildProxy.start(
                directory,
                server,
                shell,
                List.of(),
                SETTINGS + ", log: {format: json}",
                "max_connections: 2, encrypt: off")) {
            String pid = Files.readString(reader).strip();
            signal("STOP", pid);
            try {
                // More than a pipe holds.
                for (int i = 0; i < 200; i++) {
                    refusedWithALongLine(proxy, i);
                }
                for (int i = 0; i < 10; i++) {
                    try (Connection client =
                            DriverManager.getConnection(proxy.url("loginTimeout=20;socketTimeout=20000"))) {
                        assertThat(ask(client, "SELECT 1")).isEqualTo("1");
                    }
                }
            } finally {
                signal("CONT", pid);
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.size(read) > 80_000);
        }
    }

    /** Each login is another, so that the lines are not summed up. */
    private static void refusedWithALongLine(ChildProxy proxy, int number) throws IOException {
        try (RawClient client = new RawClient(proxy.port)) {
            client.sendLogin(login -> login.userName("%0120d".formatted(number))
                    .password(Secret.ofText("none"))
                    .appName("a".repeat(120))
                    .database("d".repeat(120)));
            assertThat(client.errorNumber()).isEqualTo(50002);
        }
    }

    private static void signal(String name, String pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, pid)
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }
}
