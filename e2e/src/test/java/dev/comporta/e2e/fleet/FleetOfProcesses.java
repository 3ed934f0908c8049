package dev.comporta.e2e.fleet;

import dev.comporta.lease.testkit.CutOffRelay;
import dev.comporta.lease.testkit.RedisProcess;
import dev.comporta.standin.Standin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A database that counts, a Redis that keeps nothing on disk, and the instances that share the one through the other. */
final class FleetOfProcesses implements AutoCloseable {
    /** Divides evenly among two, three and four instances. */
    static final int LIMIT = 12;

    static final Duration HEARTBEAT = Duration.ofMillis(500);
    static final Duration TTL = Duration.ofSeconds(3);

    /** Far beyond what any fault may make a client wait, so that an error that tells of it is one. */
    static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(25);

    static final String DATABASE = "AppDB";
    static final String PASSWORD = "Secret!1";
    static final String BUCKET = "orders";

    final Standin database;
    private final Path directory;
    private final Path buckets;
    private final RedisProcess redis = new RedisProcess();
    private final List<ProxyProcess> instances = new ArrayList<>();

    FleetOfProcesses(Path directory) throws IOException {
        this.directory = directory;
        database = Standin.builder().database(DATABASE).login("sa", PASSWORD).start();
        buckets = Files.writeString(directory.resolve("buckets.yaml"), """
                buckets: [{id: %s, host: 127.0.0.1, port: %d, database: %s, min_idle: 0, max_connections: %d,
                           encrypt: off, queue_timeout: %ds}]
                """.formatted(
                        BUCKET, database.port(), DATABASE, LIMIT, QUEUE_TIMEOUT.toSeconds()));
    }

    /** Starts instances of these names, and returns when all of them listen. */
    List<ProxyProcess> start(String... names) throws IOException {
        List<ProxyProcess> started = new ArrayList<>();
        for (String name : names) {
            started.add(launch(name, redis.port()));
        }
        started.forEach(ProxyProcess::awaitListening);
        return started;
    }

    /** Starts one whose way to Redis is another. */
    ProxyProcess startBehind(CutOffRelay relay, String name) throws IOException {
        ProxyProcess started = launch(name, relay.port());
        started.awaitListening();
        return started;
    }

    private ProxyProcess launch(String name, int toRedis) throws IOException {
        Path config = Files.writeString(
                directory.resolve(name + ".yaml"), """
                proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 1, instance_id: %s}
                redis: {addr: "127.0.0.1:%d", heartbeat_interval: %dms, heartbeat_ttl: %dms}
                fallback: {local_limit_divisor: 3}
                """.formatted(name, toRedis, HEARTBEAT.toMillis(), TTL.toMillis()));
        ProxyProcess launched = ProxyProcess.start(name, config, buckets);
        instances.add(launched);
        return launched;
    }

    int redisPort() {
        return redis.port();
    }

    void stopRedis() {
        redis.stop();
    }

    void startRedisEmpty() throws IOException {
        redis.startEmpty();
    }

    /** Runs of the script that Redis has counted so far: instances make no other call that says anything. */
    long callsToRedis() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            socket.getOutputStream().write("INFO commandstats\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            String told = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            Matcher lines =
                    Pattern.compile("cmdstat_(?:eval|evalsha):calls=(\\d+)").matcher(told);
            long calls = 0;
            while (lines.find()) {
                calls += Long.parseLong(lines.group(1));
            }
            return calls;
        }
    }

    int openSessions() {
        return database.counters().sessionsOpen();
    }

    int mostSessions() {
        return database.counters().mostSessions();
    }

    @Override
    public void close() {
        instances.forEach(ProxyProcess::kill);
        redis.close();
        database.close();
    }
}
