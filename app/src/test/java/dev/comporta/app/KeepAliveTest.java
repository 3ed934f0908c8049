package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.comporta.testkit.Jdbc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's own table tells of each socket when its next probe is due. */
@Timeout(60)
class KeepAliveTest {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String ESTABLISHED = "01";
    private static final String KEEP_ALIVE = "02";
    /** The table counts in hundredths of a second. */
    private static final long SEVEN_SECONDS = 700;

    @TempDir
    private Path directory;

    @Test
    void clientsAndServersAreProbedAfterTheIdleTimeThatIsConfigured() throws Exception {
        assumeTrue(Files.exists(TABLES.getFirst()));
        String settings = "tcp: {keepalive_idle: 7s, keepalive_interval: 2s, keepalive_count: 3}";
        try (RunningProxy running = RunningProxy.start(
                        directory, settings, "max_connections: 2, pool_mode: session, trust_server_certificate: true");
                Connection client = running.connect()) {
            assertThat(Jdbc.ask(client, "SELECT 1")).isEqualTo("1");
            // While something sent is not acknowledged yet, another timer runs.
            await().untilAsserted(() -> assertThat(nextProbe(running.proxy.port(), true))
                    .as("to the client")
                    .isBetween(1L, SEVEN_SECONDS));
            await().untilAsserted(() -> assertThat(nextProbe(running.server.port(), false))
                    .as("to the server")
                    .isBetween(1L, SEVEN_SECONDS));
        }
    }

    /** 0 when there is none. */
    private static long nextProbe(int port, boolean local) throws IOException {
        for (Path table : TABLES) {
            for (String line : Files.readAllLines(table)) {
                String[] columns = line.strip().split("\\s+");
                String address = columns[local ? 1 : 2];
                if (address.endsWith(":%04X".formatted(port)) && columns[3].equals(ESTABLISHED)) {
                    String[] timer = columns[5].split(":");
                    if (timer[0].equals(KEEP_ALIVE)) {
                        return Long.parseLong(timer[1], 16);
                    }
                }
            }
        }
        return 0;
    }
}
