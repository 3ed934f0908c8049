package dev.comporta.e2e.front;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HAProxy as it is packaged, which connects from an address of its own, in front of an instance. */
@Timeout(120)
class HaproxyTest {
    private static final String BALANCER = "127.0.0.77";

    /** So many in a row make a server count as up. */
    private static final int CHECKS = 5;

    @TempDir
    private Path directory;

    private static Standin standin() throws IOException {
        return Standin.builder()
                .address("127.0.0.1")
                .port(0)
                .database("AppDB")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
    }

    private static Instance instance(Standin standin, String settings) throws IOException {
        return LocalInstance.start(
                "trusted_proxies: %s\n%s".formatted(BALANCER, settings), """
                buckets:
                  - {id: one, host: 127.0.0.1, port: %d, database: AppDB, max_connections: 3, encrypt: off}
                """.formatted(standin.port()));
    }

    /** A running HAProxy. */
    private record Balancer(Process process, int port, Path socket) implements AutoCloseable {
        static Balancer start(Path directory, int behind, String server) throws IOException {
            int port = RedisProcess.freePort();
            Path socket = directory.resolve("haproxy.sock");
            Path configuration = Files.writeString(
                    directory.resolve("haproxy.cfg"), """
                    global
                        stats socket %s level admin
                    defaults
                        mode tcp
                        timeout connect 10s
                        timeout client 60s
                        timeout server 60s
                        unique-id-format %%{+X}o\\ %%ci:%%cp
                    listen sqlserver
                        bind 127.0.0.1:%d
                        server one 127.0.0.1:%d source %s check inter 100ms rise %d %s
                    """.formatted(socket, port, behind, BALANCER, CHECKS, server));
            Process process = new ProcessBuilder(program(), "-db", "-f", configuration.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("haproxy.log").toFile())
                    .start();
            Balancer started = new Balancer(process, port, socket);
            await().atMost(Duration.ofSeconds(30)).until(started::listens);
            return started;
        }

        static String program() {
            return Files.isExecutable(Path.of("/usr/sbin/haproxy")) ? "/usr/sbin/haproxy" : "haproxy";
        }

        private boolean listens() {
            assertThat(process.isAlive()).isTrue();
            try (Socket _ = new Socket("127.0.0.1", port)) {
                return true;
            } catch (IOException notYet) {
                return false;
            }
        }

        private String command(String command) throws IOException {
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                channel.write(ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.US_ASCII)));
                return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
            }
        }

        /** From now on: it takes that many successful ones until a server that was down is up again. */
        void awaitHealthChecks() throws IOException {
            command("set server sqlserver/one health down");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> command("show stat")
                            .lines()
                            .anyMatch(line -> line.startsWith("sqlserver,one,") && line.contains(",UP,")));
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private static List<String> hosts(Instance instance) {
        return instance.proxy().details(Duration.ofSeconds(10)).get("one").clients().stream()
                .map(ClientSnapshot::address)
                .map(address -> address.substring(0, address.lastIndexOf(':')))
                .toList();
    }

    private static Connection connect(int port, boolean encrypt) throws Exception {
        return Jdbc.mssql(
                port,
                "encrypt=" + encrypt + ";loginTimeout=60;user=" + RawClient.USER + ";password=" + RawClient.PASSWORD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "send-proxy",
                "send-proxy-v2",
                "send-proxy-v2 proxy-v2-options crc32c,unique-id,ssl,cert-cn",
            })
    void driverIsKnownByItsOwnAddress(String server) throws Exception {
        try (Standin standin = standin();
                Instance instance = instance(standin, "proxy_protocol: required");
                Balancer balancer = Balancer.start(directory, instance.proxy().port(), server);
                Connection plain = connect(balancer.port(), false);
                Connection encrypted = connect(balancer.port(), true);
                RawClient strict = RawClient.loggedInByTls(balancer.port())) {
            assertThat(ask(plain, "SELECT 1")).isEqualTo("1");
            assertThat(ask(encrypted, "SELECT 2")).isEqualTo("2");
            assertThat(strict.answerTo("SELECT 3")).contains("ROW [3]");
            assertThat(hosts(instance)).hasSize(3).containsOnly("127.0.0.1");
        }
    }

    @Test
    void healthChecksLeaveNoTrace() throws Exception {
        try (LogLines lines = new LogLines("dev.comporta");
                Standin standin = standin();
                Instance instance = instance(standin, "proxy_protocol: required");
                Balancer balancer = Balancer.start(directory, instance.proxy().port(), "send-proxy-v2")) {
            balancer.awaitHealthChecks();
            // A client's own login is behind them.
            try (Connection client = connect(balancer.port(), false)) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            }
            assertThat(instance.proxy().refusedConnections().values()).containsOnly(0L);
            assertThat(lines.from(Level.INFO)).isNotEmpty().noneMatch(line -> line.contains(BALANCER + ":"));
        }
    }

    @Test
    void whoForgesAHeaderOrLacksTheRequiredOneIsNotServed() throws Exception {
        try (Standin standin = standin();
                Instance instance = instance(standin, "proxy_protocol: optional");
                Balancer balancer = Balancer.start(directory, instance.proxy().port(), "");
                Connection direct = connect(instance.proxy().port(), false);
                Connection withoutHeader = connect(balancer.port(), false);
                RawClient forger = new RawClient(instance.proxy().port())) {
            assertThat(ask(direct, "SELECT 1")).isEqualTo("1");
            assertThat(ask(withoutHeader, "SELECT 2")).isEqualTo("2");
            assertThat(hosts(instance)).containsExactlyInAnyOrder("127.0.0.1", BALANCER);
            forger.raw("PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(forger.isHungUpOn()).isTrue();
            assertThat(instance.proxy().refusedConnections()).containsEntry("untrusted_proxy_header", 1L);
        }
        try (Standin standin = standin();
                Instance instance = instance(standin, "proxy_protocol: required");
                Balancer balancer = Balancer.start(directory, instance.proxy().port(), "");
                RawClient client = new RawClient(balancer.port())) {
            client.sendLogin();
            assertThat(client.isHungUpOn()).isTrue();
            assertThat(instance.proxy().refusedConnections()).containsEntry("missing_proxy_header", 1L);
        }
    }

    @Test
    void exampleThatIsDeliveredIsValid() throws Exception {
        Process check = new ProcessBuilder(Balancer.program(), "-c", "-q", "-f", "../deploy/haproxy.cfg")
                .inheritIO()
                .start();
        assertThat(check.waitFor()).isZero();
    }
}
