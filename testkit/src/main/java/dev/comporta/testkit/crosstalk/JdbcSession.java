package dev.comporta.testkit.crosstalk;

import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A session through a JDBC driver. */
public final class JdbcSession implements DriverSession {
    private final String url;
    private final boolean canAbort;
    private volatile @Nullable Connection connection;

    /** @param canAbort whether the driver has {@link Connection#abort} */
    private JdbcSession(String url, boolean canAbort) {
        this.url = url;
        this.canAbort = canAbort;
    }

    /** Through mssql-jdbc, which unprepares handles at once: a handle kept for later would pin the client. */
    public static JdbcSession mssql(int port, boolean encrypt) {
        return new JdbcSession(
                "jdbc:sqlserver://127.0.0.1:%d;databaseName=AppDB;user=%s;password=%s;encrypt=%s;"
                                .formatted(port, RawClient.USER, RawClient.PASSWORD, encrypt)
                        + "trustServerCertificate=true;serverPreparedStatementDiscardThreshold=1;loginTimeout=120",
                true);
    }

    /** Through jTDS. */
    public static JdbcSession jtds(int port) {
        return new JdbcSession(
                "jdbc:jtds:sqlserver://127.0.0.1:%d/AppDB;user=%s;password=%s;maxStatements=0"
                        .formatted(port, RawClient.USER, RawClient.PASSWORD),
                false);
    }

    @Override
    public void connect() throws Exception {
        try {
            connection = DriverManager.getConnection(url);
        } catch (SQLException e) {
            throw toServerError(e);
        }
    }

    private Connection connection() {
        Connection open = connection;
        if (open == null) {
            throw new IllegalStateException("not connected");
        }
        return open;
    }

    @Override
    public String ask(String sql) throws Exception {
        try (Statement statement = connection().createStatement()) {
            return answer(statement, sql);
        } catch (SQLException e) {
            throw toServerError(e);
        }
    }

    @Override
    public String askPrepared(String sql, List<Integer> values) throws Exception {
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            for (int value : values) {
                statement.setInt(1, value);
                try (ResultSet rows = statement.executeQuery()) {
                    collect(rows, found);
                }
            }
        } catch (SQLException e) {
            throw toServerError(e);
        }
        return String.join(",", found);
    }

    @Override
    public String askAndCancel(String sql, int afterMillis) throws Exception {
        try (Statement statement = connection().createStatement()) {
            CompletableFuture<Void> cancelled = CompletableFuture.runAsync(
                    () -> {
                        try {
                            statement.cancel();
                        } catch (SQLException e) {
                            throw new CompletionException(e);
                        }
                    },
                    CompletableFuture.delayedExecutor(afterMillis, TimeUnit.MILLISECONDS));
            try {
                return answer(statement, sql);
            } catch (SQLException e) {
                if (e.getErrorCode() != 0) {
                    throw toServerError(e);
                }
                return ""; // the driver's own: cancelled
            } finally {
                cancelled.join();
            }
        } catch (SQLException e) {
            throw toServerError(e);
        }
    }

    private static String answer(Statement statement, String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        boolean isResult = statement.execute(sql);
        while (isResult || statement.getUpdateCount() != -1) {
            if (isResult) {
                try (ResultSet rows = statement.getResultSet()) {
                    collect(rows, found);
                }
            }
            isResult = statement.getMoreResults();
        }
        return String.join(",", found);
    }

    private static void collect(ResultSet rows, List<String> found) throws SQLException {
        while (rows.next()) {
            String value = rows.getString(1);
            found.add(value == null ? "NULL" : value);
        }
    }

    @Override
    public void begin() throws Exception {
        connection().setAutoCommit(false);
    }

    @Override
    public void commit() throws Exception {
        connection().commit();
        connection().setAutoCommit(true);
    }

    @Override
    public void rollback() throws Exception {
        connection().rollback();
        connection().setAutoCommit(true);
    }

    @Override
    public boolean diesAtOnce() {
        return canAbort;
    }

    @Override
    public void die() throws Exception {
        if (canAbort) {
            connection().abort(Runnable::run);
        } else {
            connection().close(); // hangs up without a word
        }
    }

    @Override
    public void close() throws Exception {
        Connection open = connection;
        if (open != null) {
            open.close();
        }
    }

    private static Exception toServerError(SQLException e) {
        ServerError error = new ServerError(e.getErrorCode(), String.valueOf(e.getMessage()));
        error.initCause(e);
        return error;
    }
}
