package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients can't use up the file descriptors that others need. */
@Timeout(60)
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

    private static void close(List<Socket> crowd) throws IOException {
        for (Socket one : crowd) {
            one.close();
        }
    }
}
