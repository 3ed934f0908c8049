package dev.comporta.app;

import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.proxy.Proxy;
import dev.comporta.standin.Standin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A proxy that was started from two files, with a stand-in behind it. */
final class RunningProxy implements AutoCloseable {
    static final String PASSWORD = "Secret-1";

    final Standin server;
    final Instance instance;
    final Proxy proxy;

    private RunningProxy(Standin server, Instance instance) {
        this.server = server;
        this.instance = instance;
        proxy = instance.proxy();
    }

    /**
     * @param settings keys below {@code proxy}, as flow YAML
     * @param bucket keys of the one bucket, as flow YAML
     */
    static RunningProxy start(Path directory, String settings, String bucket) throws IOException {
        Standin server = Standin.builder()
                .database("AppDB")
                .login("sa", PASSWORD)
                .login("other", PASSWORD)
                .start();
        try {
            Path proxyFile = Files.writeString(
                    directory.resolve("proxy.yaml"),
                    "proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 2, "
                            + settings + "}\n");
            Path bucketsFile = Files.writeString(
                    directory.resolve("buckets.yaml"),
                    "buckets: [{id: one, host: 127.0.0.1, port: " + server.port() + ", database: AppDB, min_idle: 0, "
                            + bucket + "}]\n");
            return new RunningProxy(
                    server,
                    Instance.start(ConfigurationReader.ofThisProcess()
                            .read(proxyFile, bucketsFile)
                            .orThrow()));
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    Connection connect() throws SQLException {
        return connect("main", "user=sa;password=" + PASSWORD);
    }

    Connection connect(String listener, String options) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + proxy.port(listener)
                + ";databaseName=AppDB;encrypt=false;trustServerCertificate=true;" + options);
    }

    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        instance.close();
        server.close();
    }
}
