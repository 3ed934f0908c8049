package dev.comporta.jdbc.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.jdbc.JdbcConnection;

/** In memory, in this JVM. */
public final class H2Database implements TestDatabase {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final Connection keeper;

    public H2Database() throws SQLException {
        keeper = admin();
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public String user() {
        return "sa";
    }

    @Override
    public String password() {
        return "secret";
    }

    @Override
    public String sessionId() {
        return "SELECT SESSION_ID()";
    }

    @Override
    public void kill(String sessionId) throws SQLException {
        TestDatabase.run(keeper, "CALL ABORT_SESSION(" + sessionId + ")");
    }

    @Override
    public int sessions() throws SQLException {
        return Integer.parseInt(TestDatabase.ask(keeper, "SELECT COUNT(*) - 1 FROM INFORMATION_SCHEMA.SESSIONS"));
    }

    @Override
    public Class<?> driversOwn() {
        return JdbcConnection.class;
    }

    @Override
    public String slow() {
        return "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 3000), SYSTEM_RANGE(1, 3000)";
    }

    @Override
    public boolean hasNetworkTimeout() {
        return false; // there is no network
    }

    @Override
    public String rejection() {
        return "Wrong user name or password";
    }

    @Override
    public String leave() {
        return "SET @x = 'left'";
    }

    @Override
    public String begin() {
        return "SET AUTOCOMMIT FALSE";
    }

    @Override
    public String isLeft() {
        return "SELECT @x";
    }

    @Override
    public boolean canReset() {
        return false;
    }

    @Override
    public void stop() throws SQLException {
        TestDatabase.run(keeper, "SHUTDOWN");
    }
}
