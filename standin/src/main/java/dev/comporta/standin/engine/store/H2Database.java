package dev.comporta.standin.engine.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The in-memory H2 database of one server. It exists while its first connection is open. That connection also runs all DDL:
 * H2 commits the transaction of the connection that runs DDL, and that must not be a session's.
 */
public final class H2Database implements AutoCloseable {
    private static final AtomicLong NEXT = new AtomicLong();

    /** H2's own lock waits are short, so that a waiting session can check whether it was cancelled. */
    private static final int LOCK_SLICE_MILLIS = 100;

    /** DDL gives up after two seconds: longer than any statement of a test, short enough for a person to wait. */
    private static final int DDL_SLICES = 20;

    private final String url;
    private final Connection ddl;

    /** @param definitions run once, before anything else */
    public H2Database(List<String> definitions) {
        url = "jdbc:h2:mem:standin" + NEXT.incrementAndGet()
                + ";DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=FALSE;OPTIMIZE_REUSE_RESULTS=0"
                + ";LAZY_QUERY_EXECUTION=1;LOCK_TIMEOUT=" + LOCK_SLICE_MILLIS + ";TIME ZONE=UTC";
        try {
            ddl = DriverManager.getConnection(url);
            for (String definition : definitions) {
                define(definition);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not start", e);
        }
    }

    /** A session's own connection, without auto-commit. */
    public Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs DDL outside of all transactions; waits a while for transactions that have changed the table. */
    public synchronized void define(String sql) throws SQLException {
        for (int left = DDL_SLICES; ; left--) {
            try (Statement statement = ddl.createStatement()) {
                statement.execute(sql);
                return;
            } catch (SQLException e) {
                if (left == 0 || !H2Errors.isLockWait(e)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        try (Statement statement = ddl.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            // It is closed already.
        }
    }
}
