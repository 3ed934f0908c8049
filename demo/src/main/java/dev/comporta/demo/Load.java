package dev.comporta.demo;

import com.microsoft.sqlserver.jdbc.SQLServerDataSource;
import dev.comporta.demo.Demo.Branch;
import dev.comporta.standin.SampleDatabase;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that use the demo as applications would, and are idle most of the time. Each is a thread with its own connection,
 * half of them encrypted, and sends all kinds of requests that drivers send: batches, prepared statements, procedure calls,
 * transactions, SET options.
 */
final class Load implements AutoCloseable {
    /** Several for each server connection, so that these have to be shared. */
    static final int CLIENTS = 60;

    private static final Duration LONGEST_THOUGHT = Duration.ofMillis(300);

    /** The pause after a refusal, so that it is not repeated at once. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();
    private volatile String lastFailure = "";
    private volatile boolean stopping;

    private Load(int port, int count) {
        for (int number = 0; number < count; number++) {
            Client client = new Client(number, port);
            clients.add(Thread.ofVirtual().name("client-" + number).unstarted(client));
        }
    }

    static Load start(int port, int count) {
        Load load = new Load(port, count);
        load.clients.forEach(Thread::start);
        return load;
    }

    /** The number of failed connections and requests, with the last failure; empty if there is none. */
    String trouble() {
        long count = failures.get();
        return count == 0 ? "" : count + " failed, the last with " + lastFailure;
    }

    /** Waits until each client has finished its current requests. */
    @Override
    public void close() {
        stopping = true;
        try {
            for (Thread client : clients) {
                client.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Client implements Runnable {
        private final int number;
        private final SQLServerDataSource source = new SQLServerDataSource();

        Client(int number, int port) {
            this.number = number;
            Branch branch = Demo.BRANCHES.get(number % Demo.BRANCHES.size());
            source.setURL(Demo.jdbcUrl(port, branch.database()));
            source.setEncrypt(number % 2 == 0 ? "true" : "false");
            source.setApplicationName("demo");
        }

        @Override
        public void run() {
            while (!stopping) {
                try (Connection connection = source.getConnection()) {
                    work(connection);
                } catch (SQLException refused) {
                    failures.incrementAndGet();
                    lastFailure = refused.getErrorCode() + " " + refused.getMessage();
                    think(AFTER_FAILURE);
                }
            }
        }

        private void work(Connection connection) throws SQLException {
            while (!stopping) {
                int customer = ThreadLocalRandom.current().nextInt(SampleDatabase.CUSTOMERS) + 1;
                switch (ThreadLocalRandom.current().nextInt(5)) {
                    case 0 -> report(connection);
                    case 1 -> order(connection, customer);
                    case 2 -> call(connection, customer);
                    case 3 -> settings(connection);
                    default -> lookUp(connection, customer);
                }
                think(Duration.ofMillis(ThreadLocalRandom.current().nextLong(LONGEST_THOUGHT.toMillis())));
            }
        }

        private static void lookUp(Connection connection, int customer) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT name, city FROM customers WHERE id = ?")) {
                statement.setInt(1, customer);
                read(statement.executeQuery());
            }
        }

        private static void report(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                read(statement.executeQuery("SELECT city, COUNT(*) FROM customers GROUP BY city ORDER BY city"));
            }
        }

        /** A transaction, which holds its connection while the client thinks. */
        private void order(Connection connection, int customer) throws SQLException {
            connection.setAutoCommit(false);
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE orders SET note = ? WHERE id = ? AND customer_id = ?")) {
                statement.setString(1, "seen by client " + number);
                statement.setInt(2, (customer - 1) * SampleDatabase.ORDERS_PER_CUSTOMER + 1);
                statement.setInt(3, customer);
                statement.executeUpdate();
                think(Duration.ofMillis(ThreadLocalRandom.current().nextLong(20)));
                connection.commit();
            } finally {
                connection.setAutoCommit(true);
            }
        }

        private static void call(Connection connection, int customer) throws SQLException {
            try (CallableStatement statement = connection.prepareCall("{call orders_of(?, ?)}")) {
                statement.setInt(1, customer);
                statement.registerOutParameter(2, Types.DECIMAL);
                read(statement.executeQuery());
            }
        }

        private static void settings(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "SET LOCK_TIMEOUT " + ThreadLocalRandom.current().nextInt(1, 5) * 1000);
                read(statement.executeQuery("SELECT @@LOCK_TIMEOUT"));
            }
        }

        private static void read(ResultSet rows) throws SQLException {
            try (rows) {
                while (rows.next()) {
                    // Reading the rows is all that the demo needs.
                }
            }
        }

        private void think(Duration howLong) {
            try {
                Thread.sleep(howLong);
            } catch (InterruptedException e) {
                stopping = true;
            }
        }
    }
}
