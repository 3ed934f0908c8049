package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.comporta.app.ProxyNetwork.Link;
import dev.comporta.standin.Standin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A client or a server behind a network that loses every packet: it does not say that it is gone, and nothing that is sent to
 * it is answered. The proxy finds out by {@code proxy.tcp}, and gives back what the other side needs. The bucket has one
 * connection: whoever is not found out keeps it from everybody. The cases mostly wait for the kernel: they do so side by side,
 * each with a network of its own.
 */
@Timeout(90)
class VanishedPeerTest {
    private static final String SOON =
            "tcp: {keepalive_idle: 1s, keepalive_interval: 1s, keepalive_count: 2, user_timeout: 3s}";
    /** Of what takes about 3 s, on a machine that has much else to do; far less than what the kernel takes by itself. */
    private static final Duration FOUND = Duration.ofSeconds(25);

    private static final int SERVER_UNAVAILABLE = 50003;

    // The columns of /proc/net/tcp.
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int TIMER = 5;
    private static final String ESTABLISHED = "01";
    private static final String WINDOW_PROBE = "04:";

    @TempDir
    private Path directory;

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private ProxyNetwork network;
    private Standin server;
    private ChildProxy proxy;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(
                System.getenv("CI") != null || (isRoot() && Files.isExecutable(Path.of("/sbin/ip"))),
                "only root can make a network that loses packets, with iproute2");
        network = ProxyNetwork.create();
        server = Standin.builder()
                .address(network.address(Link.SERVERS))
                .database("AppDB")
                .login("sa", RunningProxy.PASSWORD)
                .procedure("wait_for_the_gate", _ -> waitForTheGate())
                .start();
        proxy = ChildProxy.start(
                directory,
                server,
                network.shell(),
                List.of("-Xmx128m"),
                SOON,
                "max_connections: 1, trust_server_certificate: true, queue_timeout: 60s, connection_timeout: 3s");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private int waitForTheGate() {
        arrived.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        if (proxy != null) {
            proxy.close();
        }
        if (server != null) {
            server.close();
        }
        if (network != null) {
            network.close();
        }
    }

    /** Clients come by the link that is named, so that one of them can vanish and another stay. */
    private Connection connect(Link by) throws SQLException {
        return DriverManager.getConnection(
                proxy.url(network.proxyAddress(by), "connectRetryCount=0;responseBuffering=adaptive"));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theLocksOfAClientThatVanishesInATransactionGo() throws Exception {
        try (Connection other = connect(Link.SERVERS);
                Connection client = connect(Link.CLIENTS)) {
            run(other, "CREATE TABLE notes (id INT)");
            run(client, "BEGIN TRANSACTION");
            run(client, "EXEC sp_getapplock 'a lock', 'Exclusive', 'Transaction'");
            run(client, "INSERT INTO notes VALUES (1)");
            network.cut(Link.CLIENTS);
            CompletableFuture<String> count = inBackground(() -> ask(other, "SELECT COUNT(*) FROM notes"));
            assertThat(count.get(FOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo("0");
            run(other, "BEGIN TRANSACTION");
            assertThat(
                            ask(
                                    other,
                                    "DECLARE @r INT; EXEC @r = sp_getapplock 'a lock', 'Exclusive', 'Transaction', 0; SELECT @r"))
                    .isEqualTo("0");
            run(other, "ROLLBACK");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theRequestOfAClientThatVanishesWhileItRunsIsCancelled() throws Exception {
        try (Connection other = connect(Link.SERVERS);
                Connection client = connect(Link.CLIENTS)) {
            long before = server.counters().requests();
            inBackground(() -> {
                run(client, "WAITFOR DELAY '00:30:00'");
                return "";
            });
            await().until(() -> server.counters().requests() > before);
            network.cut(Link.CLIENTS);
            assertThat(inBackground(() -> ask(other, "SELECT 1")).get(FOUND.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("1");
            assertThat(server.counters().attentions()).isEqualTo(1);
        }
    }

    /** What it has not read is in the way of keep-alive probes: only the user timeout finds it. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aClientThatVanishesWhileItDoesNotReadIsFound() throws Exception {
        try (Connection other = connect(Link.SERVERS);
                Connection client = connect(Link.CLIENTS);
                Statement statement = client.createStatement();
                ResultSet rows = statement.executeQuery("SELECT REPLICATE(CAST(N'x' AS NVARCHAR(MAX)), 32000000)")) {
            await().until(this::probesAClient);
            assertThat(rows.isClosed()).isFalse();
            network.cut(Link.CLIENTS);
            assertThat(inBackground(() -> ask(other, "SELECT 1")).get(FOUND.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("1");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aServerThatVanishesWhileARequestRunsIsFound() throws Exception {
        try (Connection client = connect(Link.CLIENTS)) {
            CompletableFuture<String> answer = inBackground(() -> {
                run(client, "EXEC wait_for_the_gate");
                return "";
            });
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
            network.cut(Link.SERVERS);
            assertUnavailable(answer);
            network.mend(Link.SERVERS);
            assertServesAgain(client);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void anIdleConnectionWhoseServerVanishesIsClosed() throws Exception {
        try (Connection client = connect(Link.CLIENTS)) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(connections()).isEqualTo(1);
            network.cut(Link.SERVERS);
            await().atMost(FOUND).until(() -> connections() == 0);
            network.mend(Link.SERVERS);
            assertServesAgain(client);
        }
    }

    /** The batch is larger than all buffers on its way: the proxy is still sending it when it finds out. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aServerThatHasVanishedIsFoundByTheRequestSentToIt() throws Exception {
        String large = "SELECT 1 --" + "x".repeat(16_000_000);
        try (Connection client = connect(Link.CLIENTS)) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            network.cut(Link.SERVERS);
            assertUnavailable(inBackground(() -> ask(client, large)));
            network.mend(Link.SERVERS);
            assertServesAgain(client);
        }
    }

    private static void assertUnavailable(CompletableFuture<String> answer) {
        assertThatThrownBy(() -> answer.get(FOUND.toSeconds(), TimeUnit.SECONDS))
                .cause()
                .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                .extracting(SQLException::getErrorCode)
                .isEqualTo(SERVER_UNAVAILABLE);
    }

    /** While the bucket still thinks that its server is down, requests are refused. */
    private static void assertServesAgain(Connection client) {
        await().atMost(FOUND)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(ask(client, "SELECT 2")).isEqualTo("2"));
    }

    /** How many connections to the server the proxy's kernel knows. */
    private long connections() throws IOException {
        return established()
                .filter(columns -> columns[REMOTE].endsWith(":%04X".formatted(server.port())))
                .count();
    }

    /** Whether the proxy's kernel probes a client that takes nothing more. */
    private boolean probesAClient() throws IOException {
        return established()
                .anyMatch(columns -> columns[LOCAL].endsWith(":%04X".formatted(proxy.port))
                        && columns[TIMER].startsWith(WINDOW_PROBE));
    }

    /** The proxy's connections, as its kernel lists them. */
    private Stream<String[]> established() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            lines.addAll(Files.readAllLines(Path.of("/proc/" + proxy.process.pid() + "/net/" + table)));
        }
        return lines.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns[STATE].equals(ESTABLISHED));
    }

    private interface Asked {
        String answer() throws Exception;
    }

    private static CompletableFuture<String> inBackground(Asked asked) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(asked.answer());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
