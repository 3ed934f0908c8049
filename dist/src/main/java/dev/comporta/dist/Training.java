package dev.comporta.dist;

import dev.comporta.standin.Standin;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.RedisServer;

/**
 * Runs the product once to train the AOT cache on the classes that it uses: it reads a configuration, joins a fleet, logs
 * clients in with and without TLS, relays requests, answers probes and drains. It is a separate process, started by {@code
 * bin/comporta run}, between mssql-jdbc and a stand-in on loopback.
 */
final class Training {
    private static final String USER = "sa";
    private static final String PASSWORD = "Training-1";
    private static final String TOKEN = "training-token-of-this-build-only";

    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+), .*");
    private static final Pattern HTTP = Pattern.compile("health on (http://\\S+)/health, metrics on (\\S+)");

    /** The time for the JVM to write its AOT configuration, on a busy machine. */
    private static final int EXIT_SECONDS = 120;

    private Training() {}

    /**
     * @param tree the unpacked product
     * @param work the directory for configuration, log, and {@code comporta.aotconf}, from which the cache is made
     */
    static void run(Path tree, Path work) throws Exception {
        int redisPort = freePort();
        RedisServer redis = RedisServer.builder()
                .port(redisPort)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
        try (Standin server =
                Standin.builder().sampleDatabase("AppDB").login(USER, PASSWORD).start()) {
            configure(work, server.port(), redisPort);
            Process product = start(tree, work);
            try {
                use(product);
            } finally {
                product.destroy(); // SIGTERM: it drains, and writes the AOT configuration
            }
            if (!product.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                product.destroyForcibly();
                throw new IOException("it did not stop within " + EXIT_SECONDS + " s");
            }
        } finally {
            redis.stop();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void configure(Path work, int serverPort, int redisPort) throws IOException {
        Files.writeString(work.resolve("proxy.yaml"), """
                proxy:
                  listen_addr: 127.0.0.1
                  listen_port: 0
                  health_check_port: 0
                  metrics_port: 0
                  drain_delay: 0
                  shutdown_timeout: 5s
                  tls: {mode: optional}
                  admin: {token: %s, username: ops, password: %s}
                redis: {addr: "127.0.0.1:%d"}
                """.formatted(TOKEN, PASSWORD, redisPort));
        Files.writeString(work.resolve("buckets.yaml"), """
                buckets:
                  - {id: one, host: 127.0.0.1, port: %d, database: AppDB, username: %s, password: %s,
                     max_connections: 8, min_idle: 2, encrypt: on, trust_server_certificate: true}
                """.formatted(serverPort, USER, PASSWORD));
    }

    private static Process start(Path tree, Path work) throws IOException {
        ProcessBuilder command = new ProcessBuilder(
                tree.resolve("bin/comporta").toString(), "run", "--config", "proxy.yaml", "--buckets", "buckets.yaml");
        command.directory(work.toFile());
        command.redirectError(work.resolve("training.log").toFile());
        command.environment().remove("JAVA_OPTS");
        command.environment()
                .put("COMPORTA_OPTS", "-XX:AOTMode=record -XX:AOTConfiguration=" + work.resolve("comporta.aotconf"));
        return command.start();
    }

    private static void use(Process product) throws IOException, InterruptedException, SQLException {
        BufferedReader said = product.inputReader();
        int port = Integer.parseInt(await(said, LISTENING).group(1));
        Matcher http = await(said, HTTP);
        for (String encrypt : List.of("false", "true")) {
            try (Connection client = connect(port, "AppDB", USER, encrypt)) {
                query(client);
            }
        }
        try (Connection administrator = connect(port, "comporta", "ops", "true");
                Statement statement = administrator.createStatement()) {
            statement.executeQuery("SELECT * FROM sys.remote_pool_stats").close();
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String page : List.of(
                    http.group(1) + "/health",
                    http.group(1) + "/health/ready",
                    http.group(2),
                    http.group(1) + "/api/v1/pools")) {
                client.send(
                        HttpRequest.newBuilder(URI.create(page))
                                .header("Authorization", "Bearer " + TOKEN)
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
            }
        }
    }

    private static Connection connect(int port, String database, String user, String encrypt) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:sqlserver://127.0.0.1:%d;databaseName=%s;user=%s;password=%s;encrypt=%s;trustServerCertificate=true"
                        .formatted(port, database, user, PASSWORD, encrypt));
    }

    private static void query(Connection client) throws SQLException {
        try (Statement statement = client.createStatement()) {
            statement.executeQuery("SELECT TOP 10 * FROM customers").close();
            statement.execute("SET NOCOUNT ON");
        }
        client.setAutoCommit(false);
        for (int i = 0; i < 3; i++) {
            try (PreparedStatement prepared =
                    client.prepareStatement("SELECT COUNT(*) FROM orders WHERE customer_id = ?")) {
                prepared.setInt(1, i);
                prepared.executeQuery().close();
            }
        }
        client.commit();
        client.setAutoCommit(true);
    }

    private static Matcher await(BufferedReader said, Pattern wanted) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            Matcher matcher = wanted.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        throw new IOException("it did not start: see training.log");
    }
}
