package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class NamesTest {
    @TempDir
    private Path directory;

    /** In a process of its own, because the JVM decides once whether it remembers names: for 30 s, if nobody tells it. */
    @Test
    void addressThatChangesIsFoundThoughTheJvmWouldRememberTheOldOne() throws Exception {
        Path hosts = directory.resolve("hosts");
        String self = "127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName() + "\n";
        Files.writeString(hosts, self + "127.0.0.9 db.test\n"); // where nobody listens
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                ChildProxy proxy = ChildProxy.start(
                        directory,
                        server,
                        ":",
                        List.of("-Djdk.net.hosts.file=" + hosts),
                        "",
                        "max_connections: 2, encrypt: off, queue_timeout: 2m, host: db.test");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Connection> login = threads.submit(
                    () -> DriverManager.getConnection(proxy.url("loginTimeout=120;connectRetryCount=0")));
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> proxy.log().contains("db.test:" + server.port() + " could not be reached"));
            Files.writeString(hosts, self + "127.0.0.1 db.test\n");
            try (Connection client = login.get(60, TimeUnit.SECONDS)) {
                assertThat(Jdbc.ask(client, "SELECT 1")).isEqualTo("1");
            }
        }
    }
}
