package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.proxy.Proxy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunCommandTest {
    private static final String BUCKET = "buckets: [{id: a, host: h, database: d, max_connections: 9}]\n";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String proxy, String buckets) throws IOException {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("run", "--config", file("proxy.yaml", proxy), "--buckets", file("buckets.yaml", buckets));
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    private String warning(String proxy, String buckets) throws IOException {
        return NotServed.warning(ConfigurationReader.ofThisProcess()
                        .read(Path.of(file("proxy.yaml", proxy)), Path.of(file("buckets.yaml", buckets))))
                .orElse("");
    }

    @Test
    void badFilesAreToldAsCheckDoes() throws IOException {
        assertThat(run("proxy: {listen_prot: 1}\n", BUCKET)).isOne();
        assertThat(err.toString()).contains("proxy.yaml:1:9: error: proxy.listen_prot", "not started");
    }

    @Test
    void aTakenPortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            String ports = "health_check_port: 0, metrics_port: 0, listen_port: " + port;
            assertThat(run("proxy: {listen_addr: 127.0.0.1, " + ports + "}\n", BUCKET))
                    .isOne();
            assertThat(err.toString()).contains("not started: can't listen on /127.0.0.1:" + port);
        }
    }

    @Test
    void aTakenPortForHttpIsNamedToo() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            String ports = "health_check_port: 0, listen_port: 0, metrics_port: " + port;
            assertThat(run("proxy: {listen_addr: 127.0.0.1, " + ports + "}\n", BUCKET))
                    .isOne();
            assertThat(err.toString()).contains("not started: can't listen on /0.0.0.0:" + port + " for HTTP");
        }
    }

    @Test
    void listenersAndBucketsAreToldAtStart() throws IOException {
        Configuration configuration = ConfigurationReader.ofThisProcess()
                .read(
                        Path.of(
                                file(
                                        "proxy.yaml",
                                        "proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0}\n")),
                        Path.of(file("buckets.yaml", BUCKET)))
                .orThrow();
        try (Instance instance = Instance.start(configuration)) {
            Proxy proxy = instance.proxy();
            RunCommand.describe(configuration, instance, new PrintWriter(out));
            assertThat(out.toString().lines())
                    .hasSize(3)
                    .contains("bucket a at h:1433, at most 9 connections, transaction mode")
                    .anyMatch(line -> line.matches("listening on 127.0.0.1:" + proxy.port()
                            + ", 1 bucket, TLS optional, (io_uring|epoll|nio), started in \\d+ ms"))
                    .contains("health on http://localhost:" + instance.healthPort()
                            + "/health, metrics on http://localhost:" + instance.metricsPort() + "/metrics");
        }
    }

    @Test
    void settingsWithoutEffectAreTold() throws IOException {
        assertThat(warning("proxy: {idle_timeout: 10s}\n", BUCKET)).isEmpty();
        assertThat(warning("proxy: {limits: {max_clients: 5}}\nredis: {addr: cache, pool_size: 3}\n", BUCKET))
                .isEqualTo("these settings have no effect yet: redis.pool_size");
    }

    @Test
    void theConfigurationBookNamesTheSettingsWithoutEffect() throws IOException {
        String book = Files.readString(Path.of("..", "docs", "configuration.md"));
        String list = book.substring(book.indexOf("## Not served yet"));
        for (String key : NotServed.KEYS) {
            assertThat(list).contains("`" + (key.endsWith(".") ? key + "*" : key) + "`");
        }
    }
}
