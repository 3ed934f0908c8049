package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static dev.comporta.app.RunningProxy.bucket;
import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.testkit.ClosedPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a bucket's own account and its clients' logins are good for. */
@Timeout(60)
class WarmUpTest {
    private static final String BUCKET =
            "max_connections: 5, trust_server_certificate: true, transaction_tracking: envchange";
    private static final String ACCOUNT = ", username: sa, password: " + PASSWORD;

    @TempDir
    private Path directory;

    @Test
    void connectionsAreReadyBeforeTheFirstClient() throws Exception {
        try (RunningProxy running =
                RunningProxy.start(directory, "", BUCKET + ACCOUNT + ", reservoir: {initial_fill: 2}")) {
            assertThat(running.server.counters().logins()).isEqualTo(2);
            assertThat(running.proxy.glance("one").pool().idle()).isEqualTo(2);
            try (Connection client = running.connect()) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            }
            assertThat(running.server.counters().logins()).isEqualTo(2);
        }
    }

    @Test
    void whoLogsInOtherwiseGetsAConnectionOfItsKind() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET + ACCOUNT)) {
            assertThat(running.server.counters().logins()).isEqualTo(1);
            try (Connection client = running.connect("main", "packetSize=4096;user=sa;password=" + PASSWORD)) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            }
            assertThat(running.server.counters().logins()).isEqualTo(2);
        }
    }

    @Test
    void mappedClientsFindTheAccountsConnectionsReady() throws Exception {
        String mapped = BUCKET + ACCOUNT + ", auth: mapped, logins: [{username: web, password: w1}]";
        try (RunningProxy running = RunningProxy.start(directory, "", mapped);
                Connection client = running.connect("main", "user=web;password=w1")) {
            assertThat(ask(client, "SELECT SUSER_SNAME()")).isEqualTo("sa");
            assertThat(running.server.counters().logins()).isEqualTo(1);
        }
    }

    @Test
    void anAccountThatIsRejectedKeepsNobodyOut() throws Exception {
        String bucket = BUCKET + ", username: sa, password: wrong, reservoir: {initial_fill_timeout: 10m}";
        try (RunningProxy running = RunningProxy.start(directory, "", bucket);
                Connection client = running.connect()) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aServerThatIsDownKeepsNobodyOut() throws Exception {
        try (ClosedPort nobody = new ClosedPort();
                Instance instance = start(0, nobody.port(), "{initial_fill_timeout: 10m}")) {
            new Socket(InetAddress.getLoopbackAddress(), instance.proxy().port()).close();
        }
    }

    private Instance start(int listenPort, int serverPort, String reservoir) throws IOException {
        Path proxyFile = Files.writeString(
                directory.resolve("proxy.yaml"),
                "proxy: {listen_addr: 127.0.0.1, listen_port: " + listenPort
                        + ", health_check_port: 0, metrics_port: 0}\n");
        Path bucketsFile = Files.writeString(
                directory.resolve("buckets.yaml"),
                "buckets: [{id: one, host: 127.0.0.1, port: " + serverPort + ", " + BUCKET + ACCOUNT + ", reservoir: "
                        + reservoir + "}]\n");
        return Instance.start(
                ConfigurationReader.ofThisProcess().read(proxyFile, bucketsFile).orThrow());
    }

    @Test
    void nobodyIsLetInBeforeTheConnectionsAreThere() throws Exception {
        try (Standin server = silentServer();
                ClosedPort reserved = new ClosedPort()) {
            int port = reserved.port();
            CompletableFuture<Instance> starts = CompletableFuture.supplyAsync(() -> {
                try {
                    return start(port, server.port(), "{initial_fill_timeout: 10m}");
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
            await().until(() -> server.counters().connections() > 0);
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(ConnectException.class);
            server.misbehave(Misbehaviour.NONE);
            try (Instance instance = starts.get(20, TimeUnit.SECONDS)) {
                assertThat(instance.proxy().glance("one").pool().idle()).isPositive();
                new Socket(InetAddress.getLoopbackAddress(), port).close();
            }
        }
    }

    @Test
    void connectionsAreNotWaitedForWhenTheirTimeIsOver() throws Exception {
        try (Standin server = silentServer();
                Instance instance = start(0, server.port(), "{initial_fill_timeout: 100ms}")) {
            assertThat(instance.proxy().glance("one").pool().idle()).isZero();
            new Socket(InetAddress.getLoopbackAddress(), instance.proxy().port()).close();
        }
    }

    private static Standin silentServer() throws IOException {
        return Standin.builder()
                .login("sa", PASSWORD)
                .misbehaviour(Misbehaviour.NONE.withStopReading(true))
                .start();
    }

    @Test
    void moreThanTheLimitAreNotWaitedFor() throws Exception {
        try (RunningProxy running = RunningProxy.start(
                directory, "", BUCKET + ACCOUNT + ", reservoir: {initial_fill: 6, initial_fill_timeout: 10m}")) {
            assertThat(running.proxy.glance("one").pool().idle()).isEqualTo(5);
        }
    }

    @Test
    void aBucketThatIsAddedLaterIsFilledToo() throws Exception {
        String one = BUCKET + ", encrypt: off";
        String two = "database: Other, " + one + ACCOUNT + ", reservoir: {initial_fill: 3}";
        try (RunningProxy running = RunningProxy.start(directory, "", one);
                Standin second = Standin.builder()
                        .database("Other")
                        .login("sa", PASSWORD)
                        .start()) {
            running.reload("", bucket(running.server, "one", one), bucket(second, "two", two));
            assertThat(running.proxy.glance("two").pool().idle()).isEqualTo(3);
        }
    }

    @Test
    void mappedLoginsAreHeldToTheirOwnLimits() throws Exception {
        String mapped = BUCKET + ACCOUNT + ", auth: mapped, logins: "
                + "[{username: web, password: w1, max_connections: 1}, {username: jobs, password: j1}]";
        try (RunningProxy running = RunningProxy.start(directory, "", mapped);
                Connection first = running.connect("main", "user=web;password=w1");
                Connection second = running.connect("main", "user=web;password=w1");
                Connection other = running.connect("main", "user=jobs;password=j1")) {
            run(first, "BEGIN TRANSACTION");
            running.reload("", bucket(running.server, "one", mapped + ", queue_timeout: 100ms"));
            assertThatThrownBy(() -> ask(second, "SELECT 1"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(50004));
            running.reload("", bucket(running.server, "one", mapped));
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            run(first, "COMMIT");
            assertThat(ask(second, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void anIdentityCanBeAskedForWhileOthersWait() throws Exception {
        String bucket = "max_connections: 1, trust_server_certificate: true, pin_identity: true";
        try (RunningProxy running = RunningProxy.start(directory, "", bucket);
                Connection client = running.connect();
                Connection other = running.connect()) {
            run(client, "CREATE TABLE notes (id INT IDENTITY(7, 1), note VARCHAR(10))");
            run(client, "SET NOCOUNT OFF");
            run(client, "INSERT INTO notes (note) VALUES ('first')");
            CompletableFuture<String> waits = later(other, "SELECT COUNT(*) FROM notes");
            await().until(() -> running.proxy.glance("one").pool().waiting() == 1);
            assertThat(ask(client, "SELECT CAST(@@IDENTITY AS INT)")).isEqualTo("7");
            assertThat(waits.get(20, TimeUnit.SECONDS)).isEqualTo("1");
            // Who has only read keeps nothing.
            assertThat(ask(client, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
            assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
        }
    }

    private static CompletableFuture<String> later(Connection connection, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ask(connection, sql);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }
}
