package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands of the console do to a running instance. */
@Timeout(90)
class ConsoleCommandsTest {
    private static final String BUCKET = "encrypt: off, max_connections: 2";

    @TempDir
    private Path directory;

    private RunningProxy start() throws IOException {
        return RunningProxy.start(directory, "instance_id: one", BUCKET);
    }

    @Test
    void reloadSaysWhatChangedOrWhatIsWrong() throws Exception {
        try (RunningProxy running = start()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            Path buckets = directory.resolve("buckets.yaml");
            String before = Files.readString(buckets);
            Files.writeString(buckets, before.replace("max_connections: 2", "max_connections: 5"));
            assertThat(console.ask("RELOAD"))
                    .isEqualTo("Configuration reloaded:\nbuckets[one].max_connections: 5 instead of 2");
            assertThat(console.ask("RELOAD")).isEqualTo("Configuration reloaded: nothing changed.");
            Files.writeString(buckets, before.replace("max_connections: 2", "max_conections: 5"));
            assertThat(console.ask("RELOAD"))
                    .startsWith("50000: Reload failed, configuration unchanged:\n")
                    .contains("buckets.yaml:1:")
                    .contains("Did you mean 'max_connections'?");
            assertThat(console.ask("SELECT max_connections FROM sys.buckets")).isEqualTo("5");
            assertThat(console.ask("SELECT message FROM sys.events WHERE kind = 'reload' ORDER BY event_id"))
                    .startsWith("Configuration reloaded: buckets[one].max_connections: 5 instead of 2; Configuration"
                            + " reloaded: nothing changed.; Reload failed, configuration unchanged: ");
        }
    }

    @Test
    void aSettingChangesAtOnceAndUntilTheFilesAreReadAgain() throws Exception {
        try (RunningProxy running = start()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            String inForce = "SELECT value, source FROM sys.settings WHERE name = 'buckets[one].max_connections'";
            assertThat(console.ask("SET buckets[one].max_connections = 7"))
                    .startsWith("buckets[one].max_connections is '7'. This holds on this instance until the files");
            assertThat(console.ask(inForce)).isEqualTo("7|console");
            await().untilAsserted(() -> assertThat(console.ask("SELECT max_connections FROM sys.remote_pool_stats"))
                    .isEqualTo("7"));
            assertThat(console.ask("SET one.queue_timeout = '45s'")).startsWith("buckets[one].queue_timeout is '45s'.");
            assertThat(console.ask("SET query_timeout = '10m'")).startsWith("proxy.query_timeout is '10m'.");
            assertThat(console.ask(inForce)).as("the first change holds").isEqualTo("7|console");

            assertThat(console.ask("RELOAD")).contains("buckets[one].max_connections: 2 instead of 7");
            assertThat(console.ask(inForce)).isEqualTo("2|file");
            assertThat(console.ask("SET query_timeout = '10m'")).startsWith("proxy.query_timeout is '10m'.");
            assertThat(console.ask(inForce)).as("the first change is forgotten").isEqualTo("2|file");
        }
    }

    @Test
    void aWrongSettingChangesNothingAndTheAnswerSaysWhatIsRight() throws Exception {
        try (RunningProxy running = start()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            assertThat(console.ask("SET query_timeot = '10m'"))
                    .isEqualTo("50000: There is no setting 'query_timeot'. Did you mean 'query_timeout'?");
            assertThat(console.ask("SET buckets[one].max_conections = 5"))
                    .contains("Did you mean 'buckets[one].max_connections'?");
            assertThat(console.ask("SET listen_port = 1500"))
                    .startsWith("50000: 'proxy.listen_port' can only be changed by a restart. These can be set: ")
                    .contains("proxy.query_timeout", "buckets[id].max_connections")
                    .doesNotContain("buckets[id].host");
            assertThat(console.ask("SET buckets[one].max_connections = 'many'"))
                    .startsWith("50000: buckets[one].max_connections: 'many' ");
            assertThat(console.ask("SET buckets[one].min_idle = 9")).contains("It is above max_connections (2).");
            assertThat(console.ask("SET buckets[one].database = '${HOME}'")).contains("'${'");
            assertThat(console.ask("SET buckets[one].password = '${file:/etc/passwd}'"))
                    .contains("'${'");
            assertThat(
                            console.ask(
                                    "CREATE SERVER two OPTIONS (host 'elsewhere', username 'a', password '${file:/etc/passwd}')"))
                    .contains("'${'");
            assertThat(console.ask("SELECT COUNT(*) FROM sys.settings WHERE source = 'console'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void aBucketIsCreatedChangedAndDropped() throws Exception {
        try (RunningProxy running = start();
                Standin second = Standin.builder()
                        .serverName("SECOND")
                        .database("Other")
                        .login("sa", RunningProxy.PASSWORD)
                        .start()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            String options = "host '127.0.0.1', port '" + second.port()
                    + "', dbname 'Other', max_connections '3', min_connections '0', encrypt 'off',"
                    + " connect_timeout '5000', \"health.interval\" '20s', health_check_query 'SELECT 1'";
            assertThat(console.ask("CREATE SERVER two FOREIGN DATA WRAPPER postgresql_fdw OPTIONS (" + options + ")"))
                    .contains("There is no wrapper 'postgresql_fdw'");
            assertThat(console.ask("CREATE SERVER two OPTIONS (host 'x')"))
                    .startsWith("50000: buckets[two].max_connections: The key is missing.");
            assertThat(console.ask("CREATE SERVER two OPTIONS (hots 'x')")).contains("Did you mean 'host'?");
            assertThat(console.ask("CREATE SERVER one OPTIONS (host 'x')")).contains("There is already a bucket 'one'");

            assertThat(console.ask("CREATE SERVER two FOREIGN DATA WRAPPER tds_fdw OPTIONS (" + options + ")"))
                    .startsWith("Bucket two added. This holds on this instance until the files are read again")
                    .endsWith("""
                            add to buckets.yaml:
                            buckets:
                              - id: two
                                host: 127.0.0.1
                                port: %d
                                database: Other
                                max_connections: 3
                                min_idle: 0
                                encrypt: off
                                connection_timeout: 5000ms
                                health:
                                  interval: 20s
                                  query: "SELECT 1"
                            """.formatted(second.port()));
            try (Connection client = other(running)) {
                assertThat(ask(client, "SELECT @@SERVERNAME")).isEqualTo("SECOND");
            }
            assertThat(console.ask("ALTER SERVER two OPTIONS (SET max_connections '4', DROP min_idle)"))
                    .contains("max_connections: 4")
                    .contains("remove from the bucket in buckets.yaml: min_idle");
            assertThat(console.ask("SELECT max_connections, min_idle FROM sys.buckets WHERE server_name = 'two'"))
                    .isEqualTo("4|2");
            assertThat(console.ask("ALTER SERVER two OPTIONS (SET host 'elsewhere')"))
                    .contains("'host' can't change while the bucket runs");
            assertThat(console.ask("ALTER SERVER tow OPTIONS (SET max_connections '4')"))
                    .contains("Did you mean 'two'?");
            assertThat(console.ask("DROP SERVER two")).startsWith("Bucket two removed");
            assertThatThrownBy(() -> other(running)).isInstanceOf(SQLException.class);
            await().untilAsserted(
                            () -> assertThat(second.counters().sessionsOpen()).isZero());
            assertThat(console.ask("SELECT COUNT(*) FROM sys.buckets")).isEqualTo("1");
        }
    }

    private static Connection other(RunningProxy running) throws SQLException {
        return running.connect("main", "databaseName=Other;user=sa;password=" + RunningProxy.PASSWORD);
    }

    @Test
    void everyCommandLeavesAnAuditLineAndAnEventWithoutSecrets() throws Exception {
        try (RunningProxy running = start();
                LogLines log = new LogLines("dev.comporta.audit")) {
            ConsoleClient console = new ConsoleClient(running.instance);
            String answer =
                    console.ask("CREATE SERVER two OPTIONS (host '127.0.0.1', max_connections '1', min_idle '0',"
                            + " username 'app', password 'S3cret!', encrypt 'off', reservoir.initial_fill '0')");
            assertThat(answer).startsWith("102: "); // a dotted name needs quotes
            answer = console.ask("CREATE SERVER two OPTIONS (host '127.0.0.1', max_connections '1', min_idle '0',"
                    + " username 'app', password 'S3cret!', encrypt 'off', \"reservoir.initial_fill\" '0')");
            assertThat(answer).contains("password: \"${file:/path/to/secret}\"").doesNotContain("S3cret!");
            console.ask("SET buckets[two].pasword = 'S3cret!'");
            console.ask("DROP SERVER two");
            assertThat(log.lines())
                    .containsExactly(
                            "console command by root from 10.0.0.7:50123 (test): CREATE SERVER two OPTIONS (host"
                                    + " '127.0.0.1', max_connections '1', min_idle '0', username 'app', password '***',"
                                    + " encrypt 'off', reservoir.initial_fill '0'): done",
                            "console command by root from 10.0.0.7:50123 (test): SET buckets[two].pasword = '***':"
                                    + " refused: There is no setting 'buckets[two].pasword'. Did you mean"
                                    + " 'buckets[two].password'?",
                            "console command by root from 10.0.0.7:50123 (test): DROP SERVER two: done");
            assertThat(console.ask("SELECT client, login, message FROM sys.events WHERE kind = 'command'"
                            + " AND message LIKE 'DROP%'"))
                    .isEqualTo("10.0.0.7:50123|root|DROP SERVER two: done");
            assertThat(console.ask("SHOW EVENTS")).doesNotContain("S3cret!");
            assertThat(console.ask("SHOW SETTINGS")).doesNotContain("S3cret!");
        }
    }

    @Test
    void drainStopsTheInstanceWhenItsTransactionsHaveEnded() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one, shutdown_timeout: 40s", BUCKET);
                Connection busy = running.connect()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            run(busy, "BEGIN TRANSACTION; SELECT 1");
            assertThat(console.ask("DRAIN"))
                    .isEqualTo("Draining: not ready; no new clients (drain_delay is"
                            + " 0); then requests and transactions may end, for at most 40s (shutdown_timeout). Then this"
                            + " instance stops.");
            assertThat(console.ask("DRAIN")).isEqualTo("50000: This instance is already draining.");
            // Nobody connects before the listener is closed: a client that still got in would be counted below.
            await().untilAsserted(
                            () -> assertThat(console.ask(
                                            "SELECT message FROM sys.events WHERE kind = 'drain' ORDER BY event_id"))
                                    .isEqualTo(
                                            "Draining: not ready; no new clients (drain_delay is 0); then requests and transactions may"
                                                    + " end, for at most 40s (shutdown_timeout).; No new clients accepted; clients to drain: 1, for up to 40s."));
            assertThatThrownBy(running::connect).isInstanceOf(SQLException.class);
            assertThat(ask(busy, "SELECT @@TRANCOUNT")).isEqualTo("1");
            assertThat(console.ask("SELECT state FROM sys.buckets")).isEqualTo("draining");
            assertThat(console.ask("SET query_timeout = '10m'")).isEqualTo("50000: This instance stops.");
            run(busy, "COMMIT");
            await().untilAsserted(() ->
                    assertThat(running.server.counters().sessionsOpen()).isZero());
            assertThat(busy.isValid(5)).isFalse();
        }
    }

    @Test
    void aBucketOrClientThatIsNotThereIsNamed() throws Exception {
        try (RunningProxy running = start()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            assertThat(console.ask("PAUSE onee")).isEqualTo("50000: There is no bucket 'onee'. Did you mean 'one'?");
            assertThat(console.ask("KILL me")).startsWith("50000: 'me' is not the number of a client.");
            assertThat(console.ask("KILL 4711")).startsWith("50000: There is no client 4711.");
            assertThat(console.ask("RESUME one")).isEqualTo("50000: Bucket one is not paused.");
        }
    }

    @Test
    void aPausedBucketHoldsRequestsUntilItIsResumed() throws Exception {
        try (RunningProxy running = start();
                ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
                Connection client = running.connect()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            ask(client, "SELECT 1");
            assertThat(console.ask("PAUSE one"))
                    .isEqualTo("Bucket one paused: no work runs, requests wait in the queue.");
            assertThat(console.ask("SELECT p.paused, b.state FROM sys.remote_pool_stats p JOIN sys.buckets b"
                            + " ON b.server_name = p.server_name"))
                    .isEqualTo("true|paused");
            Future<String> answer = background.submit(() -> ask(client, "SELECT 7"));
            await().untilAsserted(() ->
                    assertThat(console.ask("SELECT state FROM sys.clients")).isEqualTo("waiting"));
            assertThat(console.ask("RESUME")).isEqualTo("Bucket one resumed.");
            assertThat(answer.get()).isEqualTo("7");
            assertThat(console.ask("RECONNECT one"))
                    .isEqualTo(
                            "Bucket one reconnecting: 1 server connections are replaced, idle ones now, others as soon"
                                    + " as no client uses them.");
        }
    }

    @Test
    void aClientIsKilledByItsNumber() throws Exception {
        try (RunningProxy running = start();
                Connection client = running.connect()) {
            ConsoleClient console = new ConsoleClient(running.instance);
            run(client, "BEGIN TRANSACTION");
            String number = console.ask("SELECT client_id FROM sys.pins WHERE reason = 'transaction'");
            assertThat(console.ask("KILL " + number)).isEqualTo("Client " + number + " closed.");
            assertThatThrownBy(() -> ask(client, "SELECT 1")).isInstanceOf(SQLException.class);
            await().untilAsserted(() ->
                    assertThat(console.ask("SELECT COUNT(*) FROM sys.clients")).isEqualTo("0"));
        }
    }
}
