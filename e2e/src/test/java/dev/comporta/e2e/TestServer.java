package dev.comporta.e2e;

import com.microsoft.sqlserver.jdbc.SQLServerDataSource;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Counters;
import dev.comporta.standin.engine.ServerHabits;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The server under test: the stand-in, or a real one where the environment names it
 * ({@code COMPORTA_SQLSERVER=host:port,user,password}).
 */
public final class TestServer implements AutoCloseable {
    private static final String DATABASE = "comporta_matrix";

    private final Target target;
    private final @Nullable Standin standin;

    private TestServer(Target target, @Nullable Standin standin) {
        this.target = target;
        this.standin = standin;
    }

    public static TestServer start() throws IOException, SQLException {
        String real = System.getenv("COMPORTA_SQLSERVER");
        return real == null || real.isBlank() ? standin() : new TestServer(realServer(real), null);
    }

    public static TestServer standin() throws IOException {
        return standin(ServerHabits.SQL_SERVER);
    }

    public static TestServer standin(ServerHabits habits) throws IOException {
        Standin standin = Standin.builder()
                .habits(habits)
                .address("127.0.0.1")
                .port(0)
                .database(DATABASE)
                .login("sa", "Floodgate-1")
                .start();
        return new TestServer(new Target("127.0.0.1", standin.port(), "sa", "Floodgate-1", DATABASE), standin);
    }

    private static Target realServer(String setting) throws SQLException {
        String[] parts = setting.split(",", 3);
        int colon = parts[0].lastIndexOf(':');
        if (parts.length < 3 || colon < 0) {
            throw new IllegalArgumentException("COMPORTA_SQLSERVER is host:port,user,password");
        }
        Target master = new Target(
                parts[0].substring(0, colon),
                Integer.parseInt(parts[0].substring(colon + 1)),
                parts[1],
                parts[2],
                "master");
        SQLServerDataSource source = new SQLServerDataSource();
        source.setServerName(master.host());
        source.setPortNumber(master.port());
        source.setUser(master.user());
        source.setPassword(master.password());
        source.setTrustServerCertificate(true);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("IF DB_ID('" + DATABASE + "') IS NULL CREATE DATABASE " + DATABASE);
        }
        return master.withDatabase(DATABASE);
    }

    public Target target() {
        return target;
    }

    /** Whether it can be asked for its counters: a real server is not. */
    public boolean isStandin() {
        return standin != null;
    }

    public Counters counters() {
        if (standin == null) {
            throw new IllegalStateException("a real server is not asked");
        }
        return standin.counters();
    }

    /** Sessions that are logged in, as the stand-in counts them. */
    public int sessions() {
        return counters().sessionsOpen();
    }

    /** Of all its sessions. */
    public int openTransactions() {
        if (standin == null) {
            throw new IllegalStateException("a real server is not asked");
        }
        return standin.engine().openTransactions();
    }

    @Override
    public void close() {
        if (standin != null) {
            standin.close();
        }
    }
}
