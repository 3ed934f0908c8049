package dev.comporta.demo;

import dev.comporta.app.Instance;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.proxy.Proxy;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Three stand-ins, and an instance that is started from a configuration as {@code run} starts one. */
final class Demo implements AutoCloseable {
    static final String USER = "sa";
    static final String PASSWORD = "Comporta-2026";

    /** With few connections each, so that the load has to share them. */
    static final List<Branch> BRANCHES =
            List.of(new Branch("lisboa", "Lisboa", 6), new Branch("porto", "Porto", 4), new Branch("faro", "Faro", 2));

    private static final int HEALTH_PORT = 8080;
    private static final int METRICS_PORT = 9090;

    /** After this number of taken ports something else is wrong, and an error helps more than further attempts. */
    private static final int PORTS_TRIED = 100;

    /** A bucket of the demo, and the database that routes to it. */
    record Branch(String bucket, String database, int maxConnections) {}

    private final List<Standin> servers;
    private final Configuration configuration;
    private final Instance instance;
    private final int wantedPort;

    private Demo(List<Standin> servers, Configuration configuration, Instance instance, int wantedPort) {
        this.servers = servers;
        this.configuration = configuration;
        this.instance = instance;
        this.wantedPort = wantedPort;
    }

    /**
     * Listens on the port, or the next free one.
     *
     * @param misbehaviour of the last server: the others show that it does not affect them
     */
    static Demo start(int port, Misbehaviour misbehaviour) throws IOException {
        List<Standin> servers = new ArrayList<>();
        try {
            for (Branch branch : BRANCHES) {
                boolean last = branch.equals(BRANCHES.getLast());
                servers.add(Standin.builder()
                        .serverName(branch.bucket().toUpperCase(Locale.ROOT))
                        .sampleDatabase(branch.database())
                        .login(USER, PASSWORD)
                        .misbehaviour(last ? misbehaviour : Misbehaviour.NONE)
                        .start());
            }
            Configuration configuration = ConfigurationReader.ofThisProcess()
                    .read(proxyYaml(port), bucketsYaml(servers), Path.of(""))
                    .orThrow();
            return new Demo(List.copyOf(servers), configuration, Instance.start(configuration), port);
        } catch (IOException | RuntimeException e) {
            servers.forEach(Standin::close);
            throw e;
        }
    }

    private static int freePort(int wanted) throws IOException {
        for (int port = wanted; ; port++) {
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                if (port == wanted + PORTS_TRIED) {
                    throw taken;
                }
            }
        }
    }

    /** With a given port, HTTP uses its usual ports, or the next free ones; with 0, all ports are chosen by the system. */
    private static String proxyYaml(int port) throws IOException {
        boolean any = port == 0;
        return """
                proxy:
                  listen_addr: 127.0.0.1
                  listen_port: %d
                  health_check_port: %d
                  metrics_port: %d
                  idle_timeout: 0
                  session_timeout: 0
                  shutdown_timeout: 5s
                """.formatted(
                        any ? 0 : freePort(port), any ? 0 : freePort(HEALTH_PORT), any ? 0 : freePort(METRICS_PORT));
    }

    private static String bucketsYaml(List<Standin> servers) {
        StringBuilder yaml = new StringBuilder("""
                defaults: {host: 127.0.0.1, min_idle: 0, trust_server_certificate: true}
                buckets:
                """);
        for (int index = 0; index < BRANCHES.size(); index++) {
            Branch branch = BRANCHES.get(index);
            yaml.append("  - {id: %s, port: %d, database: %s, max_connections: %d}%n"
                    .formatted(branch.bucket(), servers.get(index).port(), branch.database(), branch.maxConnections()));
        }
        return yaml.toString();
    }

    Instance instance() {
        return instance;
    }

    Proxy proxy() {
        return instance.proxy();
    }

    Configuration configuration() {
        return configuration;
    }

    List<Standin> servers() {
        return servers;
    }

    int port() {
        return proxy().port();
    }

    static String jdbcUrl(int port, String database) {
        return "jdbc:sqlserver://127.0.0.1:%d;databaseName=%s;user=%s;password=%s;trustServerCertificate=true"
                .formatted(port, database, USER, PASSWORD);
    }

    /** What to connect to, for the user to copy from. */
    String description() {
        StringBuilder text = new StringBuilder();
        if (wantedPort != 0 && wantedPort != port()) {
            text.append("Port %d is taken; using %d instead.%n".formatted(wantedPort, port()));
        }
        text.append("Comporta listens on 127.0.0.1, port %d. Behind it are three embedded SQL Server stand-ins:%n%n"
                .formatted(port()));
        for (int index = 0; index < BRANCHES.size(); index++) {
            Branch branch = BRANCHES.get(index);
            text.append("  bucket %-7s database %-7s at most %d connections, to 127.0.0.1:%d%n"
                    .formatted(
                            branch.bucket(),
                            branch.database(),
                            branch.maxConnections(),
                            servers.get(index).port()));
        }
        text.append("""

                Connect as %s with password %s. The database decides where to. Each has the tables
                customers and orders and the procedure orders_of; SELECT @@SERVERNAME tells which server answers.

                """.formatted(USER, PASSWORD));
        for (Branch branch : BRANCHES) {
            text.append("  sqlcmd -S 127.0.0.1,%d -U %s -P %s -d %s -C -Q \"SELECT TOP 3 * FROM customers\"%n"
                    .formatted(port(), USER, PASSWORD, branch.database()));
        }
        for (Branch branch : BRANCHES) {
            text.append("  tsql -H 127.0.0.1 -p %d -U %s -P %s -D %s%n"
                    .formatted(port(), USER, PASSWORD, branch.database()));
        }
        for (Branch branch : BRANCHES) {
            text.append("  ").append(jdbcUrl(port(), branch.database())).append(System.lineSeparator());
        }
        text.append("""

                Watch it live in a browser: http://127.0.0.1:%1$d/
                Health and metrics: http://127.0.0.1:%1$d/health and http://127.0.0.1:%2$d/metrics

                Everything is in memory and gone when it ends. Ctrl-C ends it.

                """.formatted(instance.healthPort(), instance.metricsPort()));
        return text.toString();
    }

    /** Closes the stand-ins, and the instance if it was not stopped before. */
    @Override
    public void close() {
        instance.close();
        servers.forEach(Standin::close);
    }
}
