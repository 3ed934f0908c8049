package dev.comporta.proxy;

import static dev.comporta.proxy.ProxyFixture.ask;
import static dev.comporta.proxy.ProxyFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * A client that knows what its session must look like, does something at random, and then looks whether it is so. Some
 * of what it does pins it: then it does not rest until it has let go, so that it can't starve the others.
 */
final class Stranger {
    private static final String[] LANGUAGES = {"us_english", "Deutsch", "Italiano"};
    private static final int[] FIRST_DAYS = {7, 1, 1};
    private static final String[] LEVELS = {"READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"};
    private static final String LOOK = "SELECT CONCAT(@@DATEFIRST, '/', @@LOCK_TIMEOUT, '/', DB_NAME(), '/',"
            + " @@LANGUAGE, '/', @@TRANCOUNT, '/', (SELECT transaction_isolation_level FROM sys.dm_exec_sessions"
            + " WHERE session_id = @@SPID))";
    private static final int ENTRIES = 1_000;

    final int id;
    int committed;

    private final ProxyFixture fixture;
    private final Random random;
    private int entries;

    private int firstDay;
    private int lockTimeout;
    private String database = "";
    private String language = "";
    private int level;

    Stranger(ProxyFixture fixture, int id, long seed) {
        this.fixture = fixture;
        this.id = id;
        this.random = new Random(seed);
    }

    private boolean isJtds() {
        return id % 3 == 0;
    }

    void live(int rounds) throws Exception {
        Connection connection = connect();
        try {
            for (int round = 0; round < rounds; round++) {
                Connection next = act(connection);
                if (next != connection) {
                    connection.close();
                    connection = next;
                }
                look(connection);
            }
        } catch (SQLException | AssertionError e) {
            throw new AssertionError("client " + id + ": " + e.getMessage(), e);
        } finally {
            connection.close();
        }
    }

    private Connection connect() throws SQLException {
        firstDay = 7;
        lockTimeout = -1;
        database = "AppDB";
        language = "us_english";
        level = 2;
        return isJtds() ? fixture.connectJtds() : fixture.connect();
    }

    private void look(Connection connection) throws SQLException {
        assertThat(ask(connection, LOOK))
                .isEqualTo("%d/%d/%s/%s/0/%d".formatted(firstDay, lockTimeout, database, language, level));
    }

    private Connection act(Connection connection) throws Exception {
        switch (random.nextInt(10)) {
            case 0 -> setFirstDay(connection);
            case 1 -> setLockTimeout(connection);
            case 2 -> setLanguage(connection);
            case 3 -> setDatabase(connection);
            case 4 -> setLevel(connection);
            case 5 -> transact(connection);
            case 6 -> cancel(connection);
            case 7 -> {
                return useTemporaryTable(connection);
            }
            case 8 -> {
                return useSessionContext(connection);
            }
            default -> {
                return dieInTransaction(connection);
            }
        }
        return connection;
    }

    private void setFirstDay(Connection connection) throws SQLException {
        firstDay = 1 + random.nextInt(7);
        run(connection, "SET DATEFIRST " + firstDay);
    }

    private void setLockTimeout(Connection connection) throws SQLException {
        lockTimeout = 1_000 + random.nextInt(4) * 1_000;
        run(connection, "SET LOCK_TIMEOUT " + lockTimeout);
    }

    private void setLanguage(Connection connection) throws SQLException {
        int chosen = random.nextInt(LANGUAGES.length);
        if (!language.equals(LANGUAGES[chosen])) {
            // The language that is in force already leaves DATEFIRST as it is.
            firstDay = FIRST_DAYS[chosen];
        }
        language = LANGUAGES[chosen];
        run(connection, "SET LANGUAGE " + language);
    }

    private void setDatabase(Connection connection) throws SQLException {
        database = random.nextBoolean() ? "AppDB" : "Other";
        run(connection, "USE " + database);
    }

    private void setLevel(Connection connection) throws SQLException {
        level = 1 + random.nextInt(LEVELS.length);
        run(connection, "SET TRANSACTION ISOLATION LEVEL " + LEVELS[level - 1]);
    }

    private void transact(Connection connection) throws SQLException {
        boolean commit = random.nextBoolean();
        boolean byDriver = random.nextBoolean();
        if (byDriver) {
            connection.setAutoCommit(false);
        } else {
            run(connection, "BEGIN TRANSACTION");
        }
        insert(connection);
        assertThat(count(connection)).isEqualTo(committed + 1);
        if (byDriver && commit) {
            connection.commit();
        } else if (byDriver) {
            connection.rollback();
        } else {
            run(connection, commit ? "COMMIT" : "ROLLBACK");
        }
        if (byDriver) {
            connection.setAutoCommit(true);
        }
        if (commit) {
            committed++;
        }
        assertThat(count(connection)).isEqualTo(committed);
    }

    private void insert(Connection connection) throws SQLException {
        int entry = id * ENTRIES + entries++;
        run(connection, "INSERT INTO AppDB.dbo.ledger VALUES (" + id + ", " + entry + ")");
    }

    private int count(Connection connection) throws SQLException {
        return Integer.parseInt(ask(connection, "SELECT COUNT(*) FROM AppDB.dbo.ledger WHERE client = " + id));
    }

    private void cancel(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            int patience = random.nextInt(40);
            CompletableFuture<Void> cancelled = CompletableFuture.runAsync(
                    () -> {
                        try {
                            statement.cancel();
                        } catch (SQLException e) {
                            throw new CompletionException(e);
                        }
                    },
                    CompletableFuture.delayedExecutor(patience, TimeUnit.MILLISECONDS));
            try {
                statement.execute("WAITFOR DELAY '00:00:00.100'; SELECT " + id);
                try (ResultSet rows = statement.getResultSet()) {
                    if (rows != null && rows.next()) {
                        assertThat(rows.getInt(1)).isEqualTo(id);
                    }
                }
            } catch (SQLException e) {
                assertThat(e.getErrorCode()).isLessThan(50_000);
            }
            cancelled.join();
        }
    }

    private Connection useTemporaryTable(Connection connection) throws SQLException {
        run(connection, "CREATE TABLE #mine (id INT)");
        run(connection, "INSERT INTO #mine VALUES (" + id + ")");
        assertThat(ask(connection, "SELECT CONCAT(MIN(id), '-', MAX(id)) FROM #mine"))
                .isEqualTo(id + "-" + id);
        connection.close();
        Connection next = connect();
        assertThatThrownBy(() -> ask(next, "SELECT MIN(id) FROM #mine"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(208));
        return next;
    }

    private Connection useSessionContext(Connection connection) throws SQLException {
        run(connection, "EXEC sp_set_session_context N'who', N'" + id + "'");
        assertThat(ask(connection, "SELECT CAST(SESSION_CONTEXT(N'who') AS NVARCHAR(20))"))
                .isEqualTo(Integer.toString(id));
        connection.close();
        Connection next = connect();
        assertThat(ask(next, "SELECT CAST(SESSION_CONTEXT(N'who') AS NVARCHAR(20))"))
                .isNull();
        return next;
    }

    private Connection dieInTransaction(Connection connection) throws SQLException {
        run(connection, "BEGIN TRANSACTION");
        insert(connection);
        if (isJtds()) {
            connection.close(); // it has no abort, but hangs up without a word
        } else {
            connection.abort(Runnable::run);
        }
        return connect();
    }
}
