package dev.comporta.e2e.fleet;

import dev.comporta.standin.Standin;
import dev.comporta.standin.control.SessionRecord;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/** A bucket, and the database behind it, which counts. Clients reach it by the bucket's name. */
final class ServedBucket implements AutoCloseable {
    static final String PASSWORD = "Secret!1";
    static final int MOST_CLIENTS = 100;

    final String name;
    final int limit;
    private final Standin database;

    ServedBucket(String name, int limit) throws IOException, SQLException {
        this.name = name;
        this.limit = limit;
        database = Standin.builder()
                .database(name)
                .login("sa", PASSWORD)
                .loginTimeout(FleetOfProcesses.QUEUE_TIMEOUT)
                .start();
        // Past the instances, before there are any: later a witness would be one session too many.
        try (Connection connection = DriverManager.getConnection(url(database.port()), "sa", PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE tally (id INT PRIMARY KEY, n INT NOT NULL)");
            for (int id = 0; id < MOST_CLIENTS; id++) {
                statement.execute("INSERT INTO tally VALUES (" + id + ", 0)");
            }
        }
    }

    private String url(int port) {
        return "jdbc:sqlserver://127.0.0.1:" + port + ";databaseName=" + name
                + ";encrypt=false;connectRetryCount=0;loginTimeout="
                + FleetOfProcesses.QUEUE_TIMEOUT.multipliedBy(2).toSeconds();
    }

    Connection connect(ProxyProcess through) throws SQLException {
        return DriverManager.getConnection(url(through.port()), "sa", PASSWORD);
    }

    String configuration() {
        return configuration(limit);
    }

    String configuration(int maxConnections) {
        // The database is in this JVM: how long a login there takes is the machine's business, as it is for who waits.
        return "{id: %1$s, host: 127.0.0.1, port: %2$d, database: %1$s, min_idle: 0, max_connections: %3$d, encrypt: off, queue_timeout: %4$ds, connection_timeout: %4$ds}"
                .formatted(name, database.port(), maxConnections, FleetOfProcesses.QUEUE_TIMEOUT.toSeconds());
    }

    /** The database's own. */
    int port() {
        return database.port();
    }

    int openSessions() {
        return database.counters().sessionsOpen();
    }

    int mostSessions() {
        return database.counters().mostSessions();
    }

    void forgetMostSessions() {
        database.forgetMostSessions();
    }

    long logins() {
        return database.counters().logins();
    }

    long requests() {
        return database.counters().requests();
    }

    /** Those that are open now. */
    List<SessionRecord> sessions() {
        return database.sessions();
    }

    /** As the database and the operating system tell: a process that is frozen can't be asked itself. */
    List<SessionRecord> sessionsOf(ProxyProcess instance) throws IOException {
        Set<Integer> ports = instance.portsTowards(database.port());
        return database.sessions().stream()
                .filter(session -> ports.contains(session.clientPort()))
                .toList();
    }

    /** What is known of these instances, for whoever has to find out what went wrong. */
    String report(List<ProxyProcess> instances) throws IOException {
        StringBuilder report = new StringBuilder("\n" + openSessions() + " sessions");
        for (ProxyProcess instance : instances) {
            report.append("\n").append(instance).append(": ").append(sessionsOf(instance));
            instance.said(" ").stream()
                    .skip(Math.max(0, instance.said(" ").size() - 12))
                    .forEach(line -> report.append("\n  ").append(line));
        }
        return report.toString();
    }

    @Override
    public void close() {
        database.close();
    }
}
