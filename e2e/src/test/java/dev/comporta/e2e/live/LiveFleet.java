package dev.comporta.e2e.live;

import dev.comporta.app.Instance;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.ClosedPort;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An instance with buckets, a stand-in behind them, and clients before them. */
final class LiveFleet implements AutoCloseable {
    static final String TOKEN = "a-token-of-tests-0123456789";

    /** A bucket: clients that name the database of the same name get there. */
    record Bucket(String name, int maxConnections, boolean reachable) {
        static Bucket of(String name, int maxConnections) {
            return new Bucket(name, maxConnections, true);
        }
    }

    private final Standin server;
    /** Of the server of those buckets that can't be reached. */
    private final ClosedPort nobody;

    private final Instance instance;
    /** Those that share its limits. */
    private final List<Instance> others = new ArrayList<>();

    /** Held, or the collector closes them. */
    private final Queue<Connection> connections = new ConcurrentLinkedQueue<>();

    private final Map<String, List<Connection>> transactions = new HashMap<>();
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();

    private LiveFleet(Standin server, ClosedPort nobody, Instance instance) {
        this.server = server;
        this.nobody = nobody;
        this.instance = instance;
    }

    static LiveFleet start(List<Bucket> buckets, String... logins) throws IOException {
        return start("read_only", buckets, logins);
    }

    static LiveFleet start(String livePage, List<Bucket> buckets, String... logins) throws IOException {
        Standin.Builder builder = Standin.builder().login(RawClient.USER, RawClient.PASSWORD);
        buckets.stream().filter(Bucket::reachable).forEach(bucket -> builder.database(bucket.name()));
        for (String login : logins) {
            builder.login(login, RawClient.PASSWORD);
        }
        Standin server = builder.start();
        ClosedPort nobody = new ClosedPort();
        try {
            return new LiveFleet(server, nobody, instance("proxy-1", livePage, "", yaml(buckets, server, nobody)));
        } catch (IOException | RuntimeException e) {
            nobody.close();
            server.close();
            throw e;
        }
    }

    /** Two instances that share their limits by Redis; the page is of the first. */
    static LiveFleet startTwo(int redis, List<Bucket> buckets) throws IOException {
        Standin.Builder builder = Standin.builder().login(RawClient.USER, RawClient.PASSWORD);
        buckets.forEach(bucket -> builder.database(bucket.name()));
        Standin server = builder.start();
        String shared = "redis: {addr: \"127.0.0.1:%d\", heartbeat_interval: 1s, heartbeat_ttl: 5s}%n".formatted(redis);
        ClosedPort nobody = new ClosedPort();
        String yaml = yaml(buckets, server, nobody);
        LiveFleet fleet = new LiveFleet(server, nobody, instance("proxy-1", "read_only", shared, yaml));
        fleet.others.add(instance("proxy-2", "read_only", shared, yaml));
        return fleet;
    }

    private static Instance instance(String name, String livePage, String more, String buckets) throws IOException {
        return Instance.start(ConfigurationReader.ofThisProcess()
                .read(PROXY.formatted(name, TOKEN, livePage) + more, buckets, Path.of(""))
                .orThrow());
    }

    Instance other() {
        return others.getFirst();
    }

    private static final String PROXY = """
            proxy:
              instance_id: %s
              listen_addr: 127.0.0.1
              listen_port: 0
              health_check_addr: 127.0.0.1
              health_check_port: 0
              metrics_port: 0
              event_loops: 2
              idle_timeout: 0
              session_timeout: 0
              tls: {mode: off}
              admin: {token: %s, live_page: %s}
            """;

    private static String yaml(List<Bucket> buckets, Standin server, ClosedPort nobody) throws IOException {
        StringBuilder yaml =
                new StringBuilder("defaults: {host: 127.0.0.1, encrypt: off, queue_timeout: 10m}\nbuckets:\n");
        for (Bucket bucket : buckets) {
            // A bucket with a login of its own finds out by itself that nobody answers.
            yaml.append("  - {id: %s, database: %s, max_connections: %d, port: %d, %s}%n"
                    .formatted(
                            bucket.name(),
                            bucket.name(),
                            bucket.maxConnections(),
                            bucket.reachable() ? server.port() : nobody.port(),
                            bucket.reachable()
                                    ? "min_idle: 0"
                                    : "min_idle: 1, username: sa, password: \"" + RawClient.PASSWORD
                                            + "\", health: {interval: 1s, timeout: 1s}"));
        }
        return yaml.toString();
    }

    Instance instance() {
        return instance;
    }

    String address() {
        return "http://127.0.0.1:" + instance.healthPort();
    }

    Connection connect(String bucket, String application) throws SQLException {
        return connect(bucket, application, RawClient.USER);
    }

    Connection connect(String bucket, String application, String login) throws SQLException {
        return connect(instance, bucket, application, login);
    }

    /** By an instance of one's choice. */
    Connection connect(Instance by, String bucket, String application, String login) throws SQLException {
        Connection made = Jdbc.mssql(
                by.proxy().port(),
                "user={" + login + "};password=" + RawClient.PASSWORD + ";databaseName=" + bucket + ";applicationName={"
                        + application + "}");
        connections.add(made);
        return made;
    }

    /** So many clients in a transaction each, and so many that wait for a server connection. */
    void fill(String bucket, int pinned, int waiting) throws SQLException {
        for (int i = 0; i < pinned; i++) {
            Connection client = connect(bucket, "orders-api");
            Jdbc.run(client, "BEGIN TRANSACTION");
            transactions.computeIfAbsent(bucket, _ -> new ArrayList<>()).add(client);
        }
        for (int i = 0; i < waiting; i++) {
            waitIn(bucket);
        }
    }

    /** Its clients end their transactions. */
    void finish(String bucket) throws SQLException {
        for (Connection pinned : transactions.getOrDefault(bucket, List.of())) {
            Jdbc.run(pinned, "COMMIT");
        }
    }

    /** A client whose request is queued; the future is done when it was answered. */
    Future<String> waitIn(String bucket) {
        return background.submit(() -> Jdbc.ask(connect(bucket, "reports"), "SELECT 7"));
    }

    @Override
    public void close() {
        others.forEach(Instance::close);
        instance.close(); // clients that wait are cut off with it
        background.shutdownNow();
        server.close();
        nobody.close();
    }
}
