package dev.comporta.jdbc.db;

import static org.awaitility.Awaitility.await;

import dev.comporta.tls.SelfSignedCertificate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.postgresql.PGConnection;

/** The real server, from Maven. */
public final class PostgresDatabase implements TestDatabase {
    /** A busy machine takes its time. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int OF_ADMINISTRATOR = 3;

    private final EmbeddedPostgres server;
    private final Connection admin;

    private final String urlParameters;

    public PostgresDatabase() throws IOException, SQLException {
        this(EmbeddedPostgres.builder(), "");
    }

    /** That takes so many sessions, beside the test's own and the few that it keeps for the administrator. */
    public static PostgresDatabase withRoomFor(int sessions) throws IOException, SQLException {
        return new PostgresDatabase(
                EmbeddedPostgres.builder()
                        .setServerConfig("superuser_reserved_connections", Integer.toString(OF_ADMINISTRATOR))
                        .setServerConfig("max_connections", Integer.toString(OF_ADMINISTRATOR + 1 + sessions)),
                "");
    }

    /** With TLS, and a certificate that clients can verify. */
    public static PostgresDatabase withTls(Path directory) throws IOException, SQLException, GeneralSecurityException {
        SelfSignedCertificate made = SelfSignedCertificate.generate("localhost", List.of("localhost"));
        Path certificate = Files.writeString(directory.resolve("server.crt"), made.pem());
        Path key = Files.writeString(
                directory.resolve("server.key"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder().encodeToString(made.key().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        return new PostgresDatabase(
                EmbeddedPostgres.builder()
                        .setServerConfig("ssl", "on")
                        .setServerConfig("ssl_cert_file", certificate.toString())
                        .setServerConfig("ssl_key_file", key.toString()),
                "?sslrootcert=" + certificate);
    }

    private PostgresDatabase(EmbeddedPostgres.Builder builder, String urlParameters) throws IOException, SQLException {
        this.urlParameters = urlParameters;
        server = builder.setPGStartupWait(PATIENCE).start();
        admin = DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
        TestDatabase.run(admin, "CREATE ROLE app LOGIN PASSWORD 'secret'");
        TestDatabase.run(admin, "GRANT ALL ON SCHEMA public TO app");
        // The embedded server trusts whoever connects; passwords are to be checked.
        String hba = TestDatabase.ask(admin, "SHOW hba_file");
        TestDatabase.run(
                admin,
                "COPY (SELECT 'host all app all scram-sha-256' UNION ALL SELECT 'host all postgres all trust') TO '"
                        + hba + "'");
        TestDatabase.run(admin, "SET password_encryption = 'scram-sha-256'");
        TestDatabase.run(admin, "ALTER ROLE app PASSWORD 'secret'");
        TestDatabase.run(admin, "SELECT pg_reload_conf()");
    }

    @Override
    public String url() {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres" + urlParameters;
    }

    @Override
    public String user() {
        return "app";
    }

    @Override
    public String password() {
        return "secret";
    }

    @Override
    public Connection admin() throws SQLException {
        return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
    }

    /** How many sessions the server lets the user of the pools have. */
    public void limit(int connections) throws SQLException {
        TestDatabase.run(admin, "ALTER ROLE app CONNECTION LIMIT " + connections);
    }

    @Override
    public String sessionId() {
        return "SELECT pg_backend_pid()";
    }

    @Override
    public void kill(String sessionId) throws SQLException {
        TestDatabase.run(admin, "SELECT pg_terminate_backend(" + sessionId + ")");
        String left = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + sessionId;
        await().atMost(PATIENCE).until(() -> TestDatabase.ask(admin, left).equals("0"));
    }

    @Override
    public int sessions() throws SQLException {
        return Integer.parseInt(TestDatabase.ask(admin, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'"));
    }

    @Override
    public Class<?> driversOwn() {
        return PGConnection.class;
    }

    @Override
    public String slow() {
        return "SELECT pg_sleep(1)";
    }

    @Override
    public String rejection() {
        return "password authentication failed for user";
    }

    @Override
    public String leave() {
        return "SET my.x = 'left'";
    }

    @Override
    public String isLeft() {
        return "SELECT current_setting('my.x', true)";
    }

    @Override
    public void stop() throws Exception {
        admin.close();
        server.close();
    }
}
