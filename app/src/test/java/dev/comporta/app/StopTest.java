package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a process ends, started as operators start it. */
@Timeout(180)
class StopTest {
    private static final String BUCKET = "encrypt: off, max_connections: 5";
    private static final Duration SOON = Duration.ofSeconds(60);

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

    private ChildProxy start(String name, String settings) throws IOException {
        return ChildProxy.start(
                Files.createDirectory(directory.resolve(name)),
                server,
                ":",
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                "instance_id: " + name + ", " + settings,
                BUCKET);
    }

    private static Connection connect(ChildProxy proxy) throws Exception {
        return DriverManager.getConnection(proxy.url("connectRetryCount=0"));
    }

    private static void sigterm(ChildProxy proxy) {
        proxy.process.toHandle().destroy();
    }

    private static void assertEndsInOrder(ChildProxy proxy) throws Exception {
        assertThat(proxy.process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS))
                .as("the process ends")
                .isTrue();
        assertThat(proxy.process.exitValue()).isZero();
    }

    @Test
    void drainOnTheConsoleEndsTheProcessWhenItsTransactionsHaveEnded() throws Exception {
        try (ChildProxy proxy = start(
                        "one", "drain_delay: 1ms, shutdown_timeout: 20s, admin: {username: root, password: Root-1}");
                Connection busy = connect(proxy)) {
            run(busy, "CREATE TABLE notes (id INT)");
            run(busy, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
            try (Connection console = DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + proxy.port
                    + ";databaseName=comporta;encrypt=false;user=root;password=Root-1")) {
                run(console, "DRAIN");
            }
            await().until(() -> proxy.log().contains("No new clients accepted; clients to drain: 1, for up to 20s."));
            sigterm(proxy); // as Kubernetes does after a preStop hook that has asked for the drain
            run(busy, "INSERT INTO notes VALUES (2)");
            run(busy, "COMMIT");
            assertEndsInOrder(proxy);
            assertThat(proxy.log())
                    .contains("Draining: not ready; new clients for 1ms more (drain_delay); then requests and"
                            + " transactions may end, for at most 20s (shutdown_timeout).")
                    .contains("All clients have left after ");
            assertThat(server.counters().rollbacksAtDisconnect()).isZero();
        }
    }

    @Test
    void aSecondSignalDoesNotWaitForTransactions() throws Exception {
        try (ChildProxy proxy = start("one", "drain_delay: 0s, shutdown_timeout: 10m");
                Connection busy = connect(proxy)) {
            run(busy, "BEGIN TRANSACTION; SELECT 1");
            sigterm(proxy);
            await().atMost(SOON).until(() -> proxy.log().contains("No new clients accepted; clients to drain: 1"));
            assertThat(ask(busy, "SELECT @@TRANCOUNT")).isEqualTo("1");
            sigterm(proxy);
            assertEndsInOrder(proxy);
            assertThat(proxy.process.inputReader().lines())
                    .contains("second signal: stopping now, clients are disconnected", "stopped");
            await().until(() -> server.counters().sessionsOpen() == 0);
        }
    }

    @Test
    void aNewProcessTakesOverThePortAndNoClientIsRefused() throws Exception {
        String settings = "reuse_port: true, shutdown_timeout: 30s, listen_port: ";
        List<Thread> clients = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (ChildProxy old = start("old", settings + 0)) {
            for (int i = 0; i < 2; i++) {
                clients.add(Thread.ofPlatform().start(() -> {
                    while (!over.get()) {
                        try (RawClient client = RawClient.loggedIn(old.port)) {
                            assertThat(client.answerTo("SELECT 1")).contains("ROW [1]");
                            served.incrementAndGet();
                        } catch (IOException | RuntimeException | AssertionError e) {
                            failures.add(e);
                        }
                    }
                }));
            }
            await().atMost(SOON).until(() -> served.get() > 10);
            try (ChildProxy young = start("young", settings + old.port)) {
                assertThat(young.port).isEqualTo(old.port);
                sigterm(old);
                assertEndsInOrder(old);
                int before = served.get();
                await().atMost(SOON).until(() -> served.get() > before + 10 || !failures.isEmpty());
                over.set(true);
                for (Thread client : clients) {
                    client.join();
                }
                assertThat(failures).isEmpty();
                assertThat(old.log()).contains("All clients have left after ");
            }
        } finally {
            over.set(true);
        }
    }
}
