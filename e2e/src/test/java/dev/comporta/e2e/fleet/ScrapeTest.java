package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.redis.testkit.RedisProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to look at an instance of a large fleet. */
@Timeout(60)
class ScrapeTest {
    private static final int BUCKETS = 120;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int SCRAPES = 10;

    /** Plain, for people; and as Prometheus gets it, which asks every instance every fifteen seconds or so, for ever. */
    private static final int MOST_BYTES = 2_000_000;

    private static final int MOST_PACKED = 150_000;

    @TempDir
    private Path directory;

    @Test
    void ofAHundredAndTwentyBucketsAndThreeInstancesIsSmall() throws Exception {
        List<ProxyProcess> instances = new ArrayList<>();
        try (RedisProcess redis = new RedisProcess();
                HttpClient http = HttpClient.newHttpClient()) {
            for (String name : NAMES) {
                instances.add(start(name, redis));
            }
            instances.forEach(ProxyProcess::awaitListening);
            URI metrics = URI.create(instances.getFirst().metricsAddress());
            HttpRequest plain = HttpRequest.newBuilder(metrics).build();
            HttpRequest packed = HttpRequest.newBuilder(metrics)
                    .header("Accept-Encoding", "gzip")
                    .build();
            await("everyone knows of everyone")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> slotsIn(scrape(http, plain)) == BUCKETS * NAMES.size());
            byte[] page = scrape(http, plain);
            byte[] small = scrape(http, packed);
            List<Duration> took = new ArrayList<>();
            for (int i = 0; i < SCRAPES; i++) {
                long before = System.nanoTime();
                scrape(http, packed);
                took.add(Duration.ofNanos(System.nanoTime() - before));
            }
            took.sort(Duration::compareTo);
            System.out.printf(
                    "%d buckets, %d instances: %d bytes, %d of them packed, %d ms (median of %d)%n",
                    BUCKETS,
                    NAMES.size(),
                    page.length,
                    small.length,
                    took.get(SCRAPES / 2).toMillis(),
                    SCRAPES);
            assertThat(page.length).isLessThan(MOST_BYTES);
            assertThat(small.length).isLessThan(MOST_PACKED);
            assertThat(slotsIn(new GZIPInputStream(new ByteArrayInputStream(small)).readAllBytes()))
                    .isEqualTo(BUCKETS * NAMES.size());
        } finally {
            instances.forEach(ProxyProcess::kill);
        }
    }

    private ProxyProcess start(String name, RedisProcess redis) throws IOException {
        Path config = Files.writeString(directory.resolve(name + ".yaml"), """
                proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 1, instance_id: %s}
                redis: {addr: "127.0.0.1:%d", heartbeat_interval: 500ms, heartbeat_ttl: 20s}
                """.formatted(name, redis.port()));
        Path buckets = Files.writeString(
                directory.resolve("buckets.yaml"),
                IntStream.range(0, BUCKETS)
                        .mapToObj(
                                "{id: bucket-%1$d, host: 127.0.0.1, port: 1, database: database-%1$d, min_idle: 0, max_connections: 30}"
                                        ::formatted)
                        .collect(Collectors.joining(",\n", "buckets: [", "]\n")));
        return ProxyProcess.start(name, config, buckets);
    }

    private static byte[] scrape(HttpClient http, HttpRequest metrics) throws IOException, InterruptedException {
        HttpResponse<byte[]> page = http.send(metrics, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(page.headers().firstValue("Content-Encoding"))
                .isEqualTo(metrics.headers().firstValue("Accept-Encoding"));
        return page.body();
    }

    private static long slotsIn(byte[] page) {
        return new String(page, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("proxy_slots_held{"))
                .count();
    }
}
