package dev.comporta.app;

import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import dev.comporta.proxy.Proxy;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.testkit.RawClient;
import dev.comporta.tls.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A proxy that was started from two files, with a stand-in behind it. */
final class RunningProxy implements AutoCloseable {
    static final String PASSWORD = RawClient.PASSWORD;

    static {
        // What is awaited has mostly happened by the time it is: tenths of a second, each time, add up.
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    }

    /** A certificate for all tests that have nothing to say of TLS: to make one takes longer than most of them. */
    private static final class Shared {
        static final String TLS;

        static {
            try {
                Path directory = Files.createTempDirectory("comporta");
                SelfSignedCertificate made = SelfSignedCertificate.generate("proxy", List.of("localhost", "127.0.0.1"));
                KeyFiles files = KeyFiles.write(directory, "tls", made);
                for (Path file : List.of(directory, files.certificate(), files.key())) {
                    file.toFile().deleteOnExit();
                }
                TLS = "tls: {certificate: \"" + files.certificate() + "\", private_key: \"" + files.key() + "\"}, ";
            } catch (IOException | GeneralSecurityException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    final Standin server;
    final Instance instance;
    final Proxy proxy;
    private final Path directory;

    private RunningProxy(Standin server, Path directory) throws IOException {
        this.server = server;
        this.directory = directory;
        instance = Instance.start(read(directory), () -> read(directory));
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
                .login("third", PASSWORD)
                .start();
        try {
            writeProxy(directory, settings);
            writeBuckets(directory, bucket(server, "one", bucket));
            return new RunningProxy(server, directory);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static Reading read(Path directory) {
        return ConfigurationReader.ofThisProcess()
                .read(directory.resolve("proxy.yaml"), directory.resolve("buckets.yaml"));
    }

    private static void writeProxy(Path directory, String settings) throws IOException {
        Files.writeString(
                directory.resolve("proxy.yaml"),
                "proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 2, "
                        + (settings.contains("tls:") ? "" : Shared.TLS)
                        + settings + "}\n");
    }

    private static void writeBuckets(Path directory, String... buckets) throws IOException {
        Files.writeString(directory.resolve("buckets.yaml"), "buckets: [" + String.join(",\n  ", buckets) + "]\n");
    }

    /** A bucket of these keys, as flow YAML, whose clients are those of database AppDB unless they say otherwise. */
    static String bucket(Standin server, String id, String keys) {
        String database = keys.contains("database:") ? "" : "database: AppDB, ";
        String host = keys.contains("host: ")
                ? ""
                : "host: " + server.address().getAddress().getHostAddress() + ", ";
        return "{id: " + id + ", " + host + "port: " + server.port() + ", min_idle: 0, " + database + keys + "}";
    }

    /** Writes other files, and has them read. */
    void reload(String settings, String... buckets) throws IOException {
        writeProxy(directory, settings);
        writeBuckets(directory, buckets);
        instance.reload();
    }

    Connection connect() throws SQLException {
        return connect("main", "user=sa;password=" + PASSWORD);
    }

    Connection connect(String listener, String options) throws SQLException {
        return Jdbc.mssql(proxy.port(listener), options);
    }

    @Override
    public void close() {
        instance.close();
        server.close();
    }
}
