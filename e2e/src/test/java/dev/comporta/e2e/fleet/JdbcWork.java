package dev.comporta.e2e.fleet;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clients through mssql-jdbc: those of a pool as it is by default, and those that test their own connection each time. */
final class JdbcWork implements WorkingClients {
    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<Tally>> clients = new ArrayList<>();
    private final @Nullable HikariDataSource pool;
    private final Duration pause;

    private JdbcWork(@Nullable HikariDataSource pool, Duration pause) {
        this.pool = pool;
        this.pause = pause;
    }

    /** HikariCP tests a connection that it has not used for half a second. */
    static JdbcWork pooled(String url, int count, Duration pause) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(count);
        HikariDataSource pool = new HikariDataSource(config);
        JdbcWork work = new JdbcWork(pool, pause);
        for (int i = 0; i < count; i++) {
            String name = "hikari-" + i;
            work.run(() -> work.pooled(name, pool));
        }
        return work;
    }

    static JdbcWork testing(String url, int count, Duration pause) {
        JdbcWork work = new JdbcWork(null, pause);
        for (int i = 0; i < count; i++) {
            String name = "jdbc-" + i;
            work.run(() -> work.testing(name, url));
        }
        return work;
    }

    private void run(Callable<Tally> client) {
        clients.add(threads.submit(client));
    }

    private boolean goesOn() throws InterruptedException {
        return !over.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Tally pooled(String name, HikariDataSource from) throws InterruptedException {
        int committed = 0;
        List<String> failures = new ArrayList<>();
        do {
            try (Connection connection = from.getConnection()) {
                connection.setAutoCommit(false);
                transact(connection, name, committed + failures.size());
                committed++;
            } catch (SQLException e) {
                failures.add(name + ": " + e);
            }
        } while (goesOn());
        return new Tally(name, committed, 0, failures);
    }

    private Tally testing(String name, String url) throws InterruptedException {
        int committed = 0;
        int replaced = -1;
        List<String> failures = new ArrayList<>();
        Connection connection = null;
        do {
            try {
                if (connection == null || !connection.isValid(20)) {
                    connection = DriverManager.getConnection(url);
                    connection.setAutoCommit(false);
                    replaced++;
                }
                transact(connection, name, committed + failures.size());
                committed++;
            } catch (SQLException e) {
                failures.add(name + ": " + e);
                connection = null;
            }
        } while (goesOn());
        return new Tally(name, committed, replaced, failures);
    }

    private static void transact(Connection connection, String name, int number) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO work VALUES ('" + name + "', " + number + ", 1)");
            statement.executeUpdate("INSERT INTO work VALUES ('" + name + "', " + number + ", 2)");
        }
        connection.commit();
    }

    @Override
    public List<Tally> stop() throws Exception {
        over.countDown();
        List<Tally> tallies = new ArrayList<>();
        for (Future<Tally> client : clients) {
            tallies.add(client.get());
        }
        return tallies;
    }

    @Override
    public void close() {
        over.countDown();
        threads.close();
        if (pool != null) {
            pool.close();
        }
    }
}
