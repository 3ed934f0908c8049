package dev.comporta.jdbc.db;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.firebirdsql.jdbc.FirebirdConnection;

/** Debian's server (firebird3.0-server), with a root directory, a port and users of its own. */
public final class FirebirdDatabase implements TestDatabase {
    private static final Path SERVER = Path.of("/usr/sbin/firebird");
    private static final Path ISQL = Path.of("/usr/bin/isql-fb");
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu/firebird/3.0");
    private static final Path SECURITY = Path.of("/usr/share/firebird/3.0/security.sql");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path root = Files.createTempDirectory("comporta-firebird");
    private final int port;
    private final Process server;
    private final Connection admin;

    public FirebirdDatabase() throws IOException, SQLException, InterruptedException {
        if (!Files.exists(SERVER) || !Files.exists(ISQL)) {
            throw new IOException(
                    "there is no Firebird: run e2e/install-clients, or apt-get install firebird3.0-server");
        }
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Stream<Path> files = Files.list(LIBRARIES)) {
            for (Path file : files.toList()) {
                if (!file.toString().endsWith("firebird.conf")
                        && !file.toString().endsWith("databases.conf")) {
                    Files.createSymbolicLink(root.resolve(file.getFileName()), file);
                }
            }
        }
        Path security = root.resolve("security.fdb");
        Files.writeString(root.resolve("databases.conf"), "");
        Files.writeString(
                root.resolve("firebird.conf"),
                "RemoteServicePort = " + port + "\nRemoteBindAddress = 127.0.0.1\nSecurityDatabase = " + security
                        + "\n");
        isql("create database '" + security + "';\ncommit;\ninput " + SECURITY + ";\ncommit;\n");
        isql("connect '" + security + "';\ncreate user SYSDBA password 'secret';\ncommit;\n");
        isql("create database '" + root.resolve("test.fdb") + "';\ncommit;\n");
        server = command(SERVER.toString())
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("server.log").toFile())
                .start();
        awaitPort();
        admin = admin();
    }

    private ProcessBuilder command(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
        builder.environment().put("FIREBIRD", root.toString());
        builder.environment().put("FIREBIRD_LOCK", root.toString());
        builder.environment().put("FIREBIRD_TMP", root.toString());
        return builder;
    }

    private void isql(String script) throws IOException, InterruptedException {
        Path file = Files.writeString(root.resolve("script.sql"), script);
        Path log = root.resolve("isql.log");
        Process isql = command(ISQL.toString(), "-q", "-b", "-user", "SYSDBA", "-i", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!isql.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || isql.exitValue() != 0) {
            throw new IOException("isql-fb failed: " + Files.readString(log));
        }
    }

    private void awaitPort() throws IOException {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> listens() || !server.isAlive());
        if (!server.isAlive()) {
            throw new IOException("Firebird does not listen: " + Files.readString(root.resolve("server.log")));
        }
    }

    private boolean listens() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public String url() {
        return "jdbc:firebird://127.0.0.1:" + port + "/" + root.resolve("test.fdb");
    }

    @Override
    public String user() {
        return "SYSDBA";
    }

    @Override
    public String password() {
        return "secret";
    }

    @Override
    public Connection admin() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }

    @Override
    public String sessionId() {
        return "SELECT CURRENT_CONNECTION FROM RDB$DATABASE";
    }

    @Override
    public void kill(String sessionId) throws SQLException {
        TestDatabase.run(admin, "DELETE FROM MON$ATTACHMENTS WHERE MON$ATTACHMENT_ID = " + sessionId);
    }

    @Override
    public int sessions() throws SQLException {
        return Integer.parseInt(TestDatabase.ask(
                admin,
                "SELECT COUNT(*) FROM MON$ATTACHMENTS WHERE MON$SYSTEM_FLAG = 0"
                        + " AND MON$ATTACHMENT_ID <> CURRENT_CONNECTION"));
    }

    @Override
    public Class<?> driversOwn() {
        return FirebirdConnection.class;
    }

    @Override
    public String slow() {
        return "EXECUTE BLOCK AS DECLARE i INT = 0; BEGIN WHILE (i < 5000000) DO i = i + 1; END";
    }

    @Override
    public String rejection() {
        return "Your user name and password are not defined";
    }

    @Override
    public String leave() {
        return "EXECUTE BLOCK AS BEGIN RDB$SET_CONTEXT('USER_SESSION', 'x', 'left'); END";
    }

    @Override
    public String begin() {
        return "SET TRANSACTION";
    }

    @Override
    public boolean lets() {
        return false;
    }

    @Override
    public String isLeft() {
        return "SELECT RDB$GET_CONTEXT('USER_SESSION', 'x') FROM RDB$DATABASE";
    }

    @Override
    public boolean canReset() {
        return false; // from Firebird 4 on
    }

    @Override
    public void stop() throws Exception {
        admin.close();
        server.destroyForcibly().waitFor(); // its data is not needed, and an orderly shutdown may take minutes
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
