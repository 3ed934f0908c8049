package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients can't use up the file descriptors that others need. */
@Timeout(120)
class DescriptorsTest {
    @TempDir
    private Path directory;

    @Test
    void clientsGetWhatTheOthersLeave() {
        assertThat(Descriptors.forClients(20_000, 100, 500)).isEqualTo(20_000 - 100 - Descriptors.RESERVE - 500);
        assertThat(Descriptors.forClients(20_000, 100, 30_000))
                .as("servers get half at most")
                .isEqualTo(10_000 - 100 - Descriptors.RESERVE);
        assertThat(Descriptors.forClients(100, 90, 4)).as("never nobody").isEqualTo(16);
        assertThat(Descriptors.forClients(-1, 90, 4)).as("no limit is known").isZero();
    }

    @Test
    void theHealthPortAnswersWhenClientsWantMoreDescriptorsThanThereAre() throws Exception {
        List<Socket> crowd = new ArrayList<>();
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                ChildProxy proxy = ChildProxy.start(
                        directory,
                        server,
                        "ulimit -n 400",
                        List.of("-Xmx256m"),
                        "",
                        "max_connections: 4, trust_server_certificate: true");
                Connection client = DriverManager.getConnection(proxy.url(""))) {
            for (int i = 0; i < 450; i++) {
                crowd.add(new Socket(InetAddress.getLoopbackAddress(), proxy.port));
            }
            await().untilAsserted(() -> assertThat(proxy.log()).contains("no file descriptors left for more clients"));
            assertThat(Http.get(proxy.healthPort, "/health/live").statusCode()).isEqualTo(200);
            assertThat(Http.get(proxy.healthPort, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(Jdbc.ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(proxy.log()).doesNotContain("Too many open files");

            close(crowd);
            await().untilAsserted(() -> DriverManager.getConnection(proxy.url("connectRetryCount=0"))
                    .close());
        } finally {
            close(crowd);
        }
    }

    @Test
    void serverConnectionsAndClientsThatFoundNoDescriptorAreServedWhenThereAreSomeAgain() throws Exception {
        List<Connection> clients = new ArrayList<>();
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                ChildProxy proxy = ChildProxy.start(
                        directory,
                        server,
                        "ulimit -S -n 400",
                        List.of("-Xmx256m"),
                        inJars(),
                        "",
                        "max_connections: 2, trust_server_certificate: true, failover_partner: \"localhost:"
                                + server.port() + "\"");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            clients.add(DriverManager.getConnection(proxy.url("")));
            clients.add(DriverManager.getConnection(proxy.url("")));
            Jdbc.run(clients.get(0), "BEGIN TRANSACTION");

            limitDescriptors(proxy, 1);
            Future<String> waiting = threads.submit(() -> Jdbc.ask(clients.get(1), "SELECT 1"));
            Future<Connection> knocking = threads.submit(() -> DriverManager.getConnection(proxy.url("")));
            await().untilAsserted(
                            () -> assertThat(proxy.log()).contains("could not be reached: ", "Too many open files"));
            limitDescriptors(proxy, 400);

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("1");
            clients.add(knocking.get(20, TimeUnit.SECONDS));
            Jdbc.run(clients.get(1), "BEGIN TRANSACTION"); // on the other of the two: no slot was lost
            Jdbc.run(clients.get(1), "ROLLBACK");
            Jdbc.run(clients.get(0), "ROLLBACK");
            assertThat(Jdbc.ask(clients.get(2), "SELECT 1")).isEqualTo("1");
            assertThat(proxy.log()).doesNotContain("IllegalStateException");
        } finally {
            for (Connection client : clients) {
                client.close();
            }
        }
    }

    /** The class path as it is outside of tests: to load a class from a directory takes a descriptor. */
    private String inJars() throws IOException {
        Path jar = directory.resolve("classes.jar");
        Set<String> packed = new HashSet<>();
        StringJoiner classPath = new StringJoiner(File.pathSeparator).add(jar.toString());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                Path root = Path.of(entry);
                if (!Files.isDirectory(root)) {
                    classPath.add(entry);
                    continue;
                }
                try (Stream<Path> files = Files.walk(root)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        String name = root.relativize(file).toString();
                        if (packed.add(name)) {
                            out.putNextEntry(new JarEntry(name));
                            Files.copy(file, out);
                        }
                    }
                }
            }
        }
        return classPath.toString();
    }

    /** Of a process that runs: what it has open stays open. */
    private static void limitDescriptors(ChildProxy proxy, int most) throws Exception {
        Process limiting = new ProcessBuilder(
                        "prlimit", "--pid", Long.toString(proxy.process.pid()), "--nofile=" + most + ":")
                .redirectErrorStream(true)
                .start();
        String said = new String(limiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(limiting.waitFor()).as(said).isZero();
    }

    private static void close(List<Socket> crowd) throws IOException {
        for (Socket one : crowd) {
            one.close();
        }
    }
}
