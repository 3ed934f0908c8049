package dev.comporta.e2e.fleet;

import static org.awaitility.Awaitility.await;

import dev.comporta.lease.redis.testkit.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** HAProxy before several instances, with the health checks that docs/operations.md recommends, only more often. */
public final class HaProxy implements AutoCloseable {
    /** Where an instance listens, and where it answers health checks. */
    record Ports(int listen, int health) {}

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI statistics;
    final int port;

    private HaProxy(Process process, int port, int statisticsPort) {
        this.process = process;
        this.port = port;
        statistics = URI.create("http://127.0.0.1:" + statisticsPort + "/;csv");
    }

    static HaProxy start(Path directory, SequencedMap<String, Ports> instances) throws IOException {
        List<Integer> own = freePorts(2);
        StringBuilder config = new StringBuilder("""
                defaults
                    mode tcp
                    timeout connect 5s
                    timeout check 3s
                    timeout client 10m
                    timeout server 10m
                    retries 3
                    option redispatch 1
                frontend statistics
                    mode http
                    bind 127.0.0.1:%d
                    stats enable
                    stats uri /
                listen comporta
                    bind 127.0.0.1:%d
                    balance leastconn
                    option httpchk GET /health/ready
                    default-server check inter 200ms fall 2 rise 1
                """.formatted(own.get(1), own.get(0)));
        for (Map.Entry<String, Ports> instance : instances.entrySet()) {
            Ports ports = instance.getValue();
            config.append("    server %s 127.0.0.1:%d port %d%n"
                    .formatted(instance.getKey(), ports.listen(), ports.health()));
        }
        Path file = Files.writeString(directory.resolve("haproxy.cfg"), config);
        Process process = new ProcessBuilder(program(), "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("haproxy.log").toFile())
                .start();
        return new HaProxy(process, own.get(0), own.get(1));
    }

    /** Debian has it where only root's PATH leads. */
    private static String program() {
        return Stream.of("/usr/sbin/haproxy", "/usr/local/sbin/haproxy")
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .orElse("haproxy");
    }

    /** Ports that nobody has, or is given as its own end of a connection; all different. */
    public static List<Integer> freePorts(int count) {
        return IntStream.range(0, count).mapToObj(_ -> RedisProcess.freePort()).toList();
    }

    /** New clients are sent to this instance. */
    void awaitUp(String instance) {
        await("HAProxy finds " + instance + " ready")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(IOException.class) // it has only just been started
                .until(() -> statistics()
                        .lines()
                        .anyMatch(line -> line.startsWith("comporta," + instance + ",") && line.contains(",UP,")));
    }

    private String statistics() throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(statistics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        http.close();
    }
}
