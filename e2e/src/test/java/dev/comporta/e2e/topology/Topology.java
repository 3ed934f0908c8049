package dev.comporta.e2e.topology;

import dev.comporta.e2e.deploy.Programs;
import dev.comporta.e2e.dist.UnpackedDist;
import dev.comporta.e2e.fleet.HaProxy;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.standin.Standin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Three instances from the unpacked distribution with the configuration of deploy/compose, three databases, Redis, HAProxy and Prometheus, as compose.yaml has
 * them. Scrapes, health checks and heartbeats come more often than there, and alerts have to hold for a second only: that is all
 * that differs besides addresses.
 */
final class Topology implements AutoCloseable {
    static final int LIMIT = 4;
    static final List<String> INSTANCES = List.of("proxy-1", "proxy-2", "proxy-3");

    private static final String PASSWORD = "Aa1-Floodgate";
    private static final String TOKEN = "token-of-the-topology-test-1234567890";

    /** Where an instance listens. */
    record Ports(int clients, int health, int metrics) {}

    private final Path directory;
    private final Map<String, Ports> ports = new LinkedHashMap<>();
    private final Map<String, Service> instances = new LinkedHashMap<>();
    private final List<AutoCloseable> others = new ArrayList<>();
    private final List<Standin> databases = new ArrayList<>();
    private final Path buckets;
    private final int redisPort;
    private final int balancerPort;
    final PrometheusApi prometheus;

    Topology(Path directory) throws IOException {
        this.directory = directory;
        List<Integer> free = HaProxy.freePorts(3 * INSTANCES.size() + 2);
        for (int i = 0; i < INSTANCES.size(); i++) {
            ports.put(INSTANCES.get(i), new Ports(free.get(3 * i), free.get(3 * i + 1), free.get(3 * i + 2)));
        }
        balancerPort = free.get(free.size() - 2);
        int prometheusPort = free.getLast();
        try {
            Files.writeString(directory.resolve("sa_password"), PASSWORD);
            Files.writeString(directory.resolve("admin_token"), TOKEN);
            RedisProcess redis = new RedisProcess();
            others.add(redis);
            redisPort = redis.port();
            buckets = startDatabases();
            for (String name : INSTANCES) {
                launch(name);
            }
            Service balancer = balancer();
            others.add(balancer);
            prometheus = new PrometheusApi(prometheusPort);
            others.add(prometheus);
            Service metrics = prometheus(prometheusPort);
            others.add(metrics);
            balancer.awaitListening(balancerPort);
            INSTANCES.forEach(this::awaitReady);
            metrics.awaitAnswer("http://127.0.0.1:" + prometheusPort + "/-/ready");
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Path startDatabases() throws IOException {
        Adapted adapted = Adapted.of("compose/buckets.yaml")
                .with("/run/secrets/", directory + "/")
                .with("max_connections: 50", "max_connections: " + LIMIT)
                .with("min_idle: 2", "min_idle: 1");
        for (int n = 1; n <= INSTANCES.size(); n++) {
            Standin database = Standin.builder()
                    .database("AppDB_Bucket" + n)
                    .login("sa", PASSWORD)
                    .start();
            databases.add(database);
            adapted.with("host: sqlserver-" + n, "host: 127.0.0.1, port: " + database.port());
        }
        return adapted.writeTo(directory, "buckets.yaml");
    }

    /** Starts it, or starts it again. */
    void launch(String name) throws IOException {
        Ports own = ports.get(name);
        // The host's name is the instance's in a container; here all have one host.
        Path config = Adapted.of("compose/proxy.yaml")
                .with("listen_addr: \"0.0.0.0\"", "listen_addr: 127.0.0.1\n  event_loops: 1\n  instance_id: " + name)
                .with("listen_port: 1433", "listen_port: " + own.clients())
                .with("health_check_port: 8080", "health_check_port: " + own.health())
                .with("metrics_port: 9090", "metrics_port: " + own.metrics())
                .with("trusted_proxies: [172.28.0.10]", "trusted_proxies: [127.0.0.1]")
                .with("/run/secrets/", directory + "/")
                .matching("drain_delay: \\d+s", "drain_delay: 1s")
                .matching("shutdown_timeout: \\d+s", "shutdown_timeout: 5s")
                .with("addr: redis:6379", "addr: 127.0.0.1:" + redisPort)
                .matching("heartbeat_interval: \\d+s", "heartbeat_interval: 400ms")
                .matching("heartbeat_ttl: \\d+s", "heartbeat_ttl: 3s")
                .writeTo(directory, name + ".yaml");
        ProcessBuilder command =
                UnpackedDist.get().command("run", "--config", config.toString(), "--buckets", buckets.toString());
        // They live for seconds: the better compiler and collector would only take time from the others.
        command.environment().put("COMPORTA_OPTS", "-Xmx96m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        instances.put(name, Service.start(name, directory, command));
    }

    void awaitReady(String name) {
        instance(name).awaitAnswer("http://127.0.0.1:" + ports(name).health() + "/health/ready");
    }

    private Service balancer() throws IOException {
        Adapted adapted = Adapted.of("haproxy.cfg")
                .with("maxconn 20000 ", "maxconn 1000 ") // a client takes two file descriptors
                .with("bind :1433", "bind 127.0.0.1:" + balancerPort)
                .with("inter 2s", "inter 200ms")
                .with("port 8080 ", "");
        ports.forEach((name, own) -> adapted.with(
                "server " + name + " " + name + ":1433",
                "server " + name + " 127.0.0.1:" + own.clients() + " port " + own.health()));
        return Service.start(
                "haproxy",
                directory,
                new ProcessBuilder(
                        Programs.find("haproxy"),
                        "-db",
                        "-f",
                        adapted.writeTo(directory, "haproxy.cfg").toString()));
    }

    private Service prometheus(int port) throws IOException {
        Adapted adapted = Adapted.of("prometheus/prometheus.yml")
                .with("scrape_interval: 15s", "scrape_interval: 1s\n  scrape_timeout: 1s")
                .with("evaluation_interval: 15s", "evaluation_interval: 1s");
        ports.forEach((name, own) -> adapted.with(name + ":9090", target(name)));
        // The rules as they are delivered, but for the time that they have to hold.
        Adapted.of("prometheus/alerts.yml")
                .matching("\n( +)for: \\w+", "\n$1for: 1s")
                .writeTo(directory, "alerts.yml");
        return Service.start(
                "prometheus",
                directory,
                new ProcessBuilder(
                        Programs.find("prometheus"),
                        "--config.file=" + adapted.writeTo(directory, "prometheus.yml"),
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port));
    }

    Service instance(String name) {
        return instances.get(name);
    }

    Ports ports(String name) {
        return ports.get(name);
    }

    /** As Prometheus calls it. */
    String target(String name) {
        return "127.0.0.1:" + ports(name).metrics();
    }

    String token() {
        return TOKEN;
    }

    /** Through HAProxy. */
    String url(int bucket) {
        return "jdbc:sqlserver://127.0.0.1:" + balancerPort + ";databaseName=AppDB_Bucket" + bucket
                + ";encrypt=false;connectRetryCount=0;loginTimeout=60;user=sa;password=" + PASSWORD;
    }

    /** The most sessions that a database has had at the same time, by its own count. */
    int mostSessions(int bucket) {
        return databases.get(bucket - 1).counters().mostSessions();
    }

    @Override
    public void close() {
        instances.values().forEach(Service::close);
        for (AutoCloseable other : others.reversed()) {
            try {
                other.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        databases.forEach(Standin::close);
    }
}
