package dev.comporta.e2e.fleet;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Instances that serve the same buckets and find the store of slots in the same way. */
final class FleetOfProcesses implements AutoCloseable {
    /**
     * Short, for it is waited for; and yet, with a heartbeat less, longer than a busy machine keeps a process waiting: with
     * two seconds, instances that nobody had touched lost their leases on one core that twenty threads wanted.
     */
    static final Duration TTL = Duration.ofSeconds(3);

    static final Duration HEARTBEAT = Duration.ofMillis(400);

    /** What the fleet may take beyond its time to live until it is whole again. */
    static final Duration A_MOMENT = Duration.ofSeconds(2);

    /**
     * Far beyond what any fault may make a client wait, so that an error that tells of it is one: also for the first client of
     * an instance that has just started on a busy machine, where its first login to the database was seen to take 15 seconds.
     */
    static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(60);

    private static final List<String> NAMES = List.of("a", "b", "c");

    private final Path directory;
    private final Path buckets;
    private final WayToStore store;
    private final Map<String, ProxyProcess> instances = new LinkedHashMap<>();
    private int launched;

    FleetOfProcesses(Path directory, WayToStore store, ServedBucket... buckets) throws IOException {
        this.directory = directory;
        this.store = store;
        this.buckets = Files.writeString(
                directory.resolve("buckets.yaml"),
                Arrays.stream(buckets)
                        .map(ServedBucket::configuration)
                        .collect(Collectors.joining(",\n", "buckets: [", "]\n")));
    }

    /** The three that a fleet has: those that are not alive are started. */
    List<ProxyProcess> three() throws IOException {
        for (String name : NAMES) {
            if (!instances.containsKey(name) || !instances.get(name).isAlive()) {
                launch(name);
            }
        }
        List<ProxyProcess> three = NAMES.stream().map(instances::get).toList();
        three.forEach(ProxyProcess::awaitListening);
        return three;
    }

    ProxyProcess start(String name) throws IOException {
        ProxyProcess started = launch(name);
        started.awaitListening();
        return started;
    }

    private ProxyProcess launch(String name) throws IOException {
        launched++;
        Path config = Files.writeString(directory.resolve(name + "-" + launched + ".yaml"), """
                proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 1, shutdown_timeout: 3s, instance_id: %s}
                %s: {%s, heartbeat_interval: %dms, heartbeat_ttl: %dms}
                fallback: {local_limit_divisor: %d}
                """.formatted(
                name, store.section(), store.settingsFor(name), HEARTBEAT.toMillis(), TTL.toMillis(), NAMES.size()));
        ProxyProcess started = ProxyProcess.start(name, config, buckets, store.environment());
        instances.put(name, started);
        return started;
    }

    static void awaitSince(String what, long nanos, Duration time) {
        await(what).atMost(time.plusSeconds(10)).until(() -> System.nanoTime() - nanos > time.toNanos());
    }

    @Override
    public void close() {
        instances.values().forEach(ProxyProcess::kill);
    }
}
