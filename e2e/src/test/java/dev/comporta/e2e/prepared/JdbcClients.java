package dev.comporta.e2e.prepared;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Clients of a JDBC driver, in this process. */
final class JdbcClients implements PreparedClients {
    private final String url;
    private final boolean closesStatements;
    private final int patienceSeconds;
    private final List<Client> clients;

    /**
     * @param closesStatements whether each execution has a statement of its own, so that it is the driver that keeps the
     *     handle
     */
    JdbcClients(String url, boolean closesStatements, int clients, int patienceSeconds) {
        this.url = url;
        this.closesStatements = closesStatements;
        this.patienceSeconds = patienceSeconds;
        this.clients = IntStream.range(0, clients).mapToObj(Client::new).toList();
    }

    private interface Action {
        void run(Client client) throws SQLException;
    }

    private final class Client {
        private final int number;
        private final @Nullable PreparedStatement[] statements = new @Nullable PreparedStatement[STATEMENTS];
        private @Nullable Connection connection;
        private int asked;

        Client(int number) {
            this.number = number;
        }

        private Connection connection() {
            Connection open = connection;
            if (open == null) {
                throw new IllegalStateException("not connected");
            }
            return open;
        }

        void connect() throws SQLException {
            connection = DriverManager.getConnection(url);
        }

        void ask() throws SQLException {
            for (int i = 0; i < STATEMENTS; i++) {
                if (closesStatements) {
                    try (PreparedStatement statement = connection().prepareStatement(PreparedClients.question(i))) {
                        ask(statement, i);
                    }
                    continue;
                }
                PreparedStatement statement = statements[i];
                if (statement == null) {
                    statement = connection().prepareStatement(PreparedClients.question(i));
                    statements[i] = statement;
                }
                ask(statement, i);
            }
        }

        private void ask(PreparedStatement statement, int which) throws SQLException {
            int value = number * 1000 + ++asked;
            statement.setInt(1, value);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                if (rows.getInt(1) != value * 10 + which || rows.next()) {
                    throw new AssertionError("client " + number + " got another answer to " + value + ", " + which);
                }
            }
        }

        void write(int rows) throws SQLException {
            try (PreparedStatement statement =
                    connection().prepareStatement("INSERT INTO written (client, n) VALUES (?, ?)")) {
                for (int n = 0; n < rows; n++) {
                    statement.setInt(1, number);
                    statement.setInt(2, n);
                    if (statement.executeUpdate() != 1) {
                        throw new AssertionError("client " + number + " did not write one row");
                    }
                }
            }
        }

        void leave() throws SQLException {
            for (PreparedStatement statement : statements) {
                if (statement != null) {
                    statement.close();
                }
            }
            connection().close();
        }
    }

    @Override
    public void connect() throws Exception {
        together(Client::connect);
    }

    @Override
    public Rounds ask(int atLeast) throws Exception {
        AtomicIntegerArray rounds = new AtomicIntegerArray(clients.size());
        AtomicInteger behind = new AtomicInteger(clients.size());
        together(client -> {
            while (behind.get() > 0) {
                client.ask();
                if (rounds.incrementAndGet(client.number) == atLeast) {
                    behind.decrementAndGet();
                }
            }
        });
        int[] counts = IntStream.range(0, clients.size()).map(rounds::get).toArray();
        return new Rounds(
                Arrays.stream(counts).min().orElseThrow(),
                Arrays.stream(counts).max().orElseThrow());
    }

    @Override
    public void write(int rows) throws Exception {
        together(client -> client.write(rows));
    }

    @Override
    public void leave() throws Exception {
        together(Client::leave);
    }

    private void together(Action action) throws Exception {
        Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(clients.size());
        for (Client client : clients) {
            Thread.ofVirtual().start(() -> {
                try {
                    action.run(client);
                } catch (Throwable e) {
                    wrong.add(e);
                } finally {
                    done.countDown();
                }
            });
        }
        boolean all = done.await(patienceSeconds, TimeUnit.SECONDS);
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong.size() + " clients failed", wrong.peek());
        }
        if (!all) {
            throw new TimeoutException(
                    done.getCount() + " of " + clients.size() + " clients did not come to their end in time");
        }
    }

    @Override
    public void close() {
        for (Client client : clients) {
            Connection connection = client.connection;
            if (connection != null) {
                Thread.ofVirtual().start(() -> abort(connection));
            }
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | AbstractMethodError e) {
            // Its server side is closed by the test, too.
        }
    }
}
