package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that read and write through the instances until they are told to stop. Each counts in a row of its own, so
 * that the database can be asked afterwards what became of the transactions. One that fails goes to another instance.
 */
final class MixedLoad implements AutoCloseable {
    /** How long a request keeps its server connection: so the limit sets the pace, not the machine. */
    private static final String WORK = "WAITFOR DELAY '00:00:00.040'; ";

    private static final int MOST_CLIENTS = 100;

    /** Three reads for each two transactions; one transaction in five is rolled back. */
    private static final int KINDS = 10;

    private static final int READS = 6;
    private static final int COMMITS = 3;

    /** What a client saw go wrong, and through which instance. */
    record Failure(String through, String what) {}

    private final FleetOfProcesses fleet;
    private final List<ProxyProcess> instances;
    private final Random seeds;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Client> clients = new ArrayList<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> done = new ConcurrentHashMap<>();
    private volatile boolean over;

    MixedLoad(FleetOfProcesses fleet, List<ProxyProcess> instances, int clientsEach) throws SQLException {
        this.fleet = fleet;
        this.instances = List.copyOf(instances);
        long seed = Long.getLong("comporta.seed", 20_251_116L);
        System.out.println("load: -Dcomporta.seed=" + seed);
        seeds = new Random(seed);
        prepareTable();
        for (ProxyProcess instance : instances) {
            add(instance, clientsEach);
        }
    }

    /** Past the proxies, and gone again: while the load runs, a witness would be one session too many. */
    private void prepareTable() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fleet.database.port()
                        + ";databaseName=" + FleetOfProcesses.DATABASE + ";encrypt=false;user=sa;password="
                        + FleetOfProcesses.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE tally (id INT PRIMARY KEY, n INT NOT NULL)");
            for (int id = 0; id < MOST_CLIENTS; id++) {
                statement.execute("INSERT INTO tally VALUES (" + id + ", 0)");
            }
        }
    }

    void add(ProxyProcess instance, int count) {
        for (int i = 0; i < count; i++) {
            Client client = new Client(clients.size(), new Random(seeds.nextLong()));
            client.end = threads.submit(() -> client.liveThrough(instance));
            clients.add(client);
        }
    }

    private LongAdder counter(String instance) {
        return done.computeIfAbsent(instance, _ -> new LongAdder());
    }

    /** Reads and whole transactions that were answered. */
    long doneThrough(ProxyProcess instance) {
        return counter(instance.name).sum();
    }

    long done() {
        return done.values().stream().mapToLong(LongAdder::sum).sum();
    }

    List<Failure> failures() {
        return List.copyOf(failures);
    }

    /** What clients of other instances than this one saw. */
    List<Failure> failuresBeside(ProxyProcess harmed) {
        return failures.stream()
                .filter(failure -> !failure.through.equals(harmed.name))
                .toList();
    }

    /** Everyone finishes what it does. Whoever has not by the time the queue would have turned it away waits for ever. */
    void stop() throws Exception {
        over = true;
        for (Client client : clients) {
            client.end.get(FleetOfProcesses.QUEUE_TIMEOUT.toSeconds() + 5, TimeUnit.SECONDS);
        }
        Duration longest = clients.stream()
                .map(client -> Duration.ofNanos(client.longestWait))
                .max(Duration::compareTo)
                .orElseThrow();
        System.out.println(
                "load: " + done + ", longest wait " + longest.toMillis() + " ms, failures " + failures.size());
        assertThat(longest).as("the longest wait").isLessThan(FleetOfProcesses.QUEUE_TIMEOUT);
    }

    /** Every commit that was answered is in the database, and nothing that was rolled back. */
    void verifyCommits(ProxyProcess through) throws SQLException {
        try (Connection connection = through.connect();
                Statement statement = connection.createStatement()) {
            for (Client client : clients) {
                try (ResultSet rows = statement.executeQuery("SELECT n FROM tally WHERE id = " + client.id)) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt(1))
                            .as("commits of client %d", client.id)
                            .isBetween(client.committed, client.committed + client.doubtful);
                }
            }
        }
    }

    @Override
    public void close() {
        over = true;
        threads.shutdownNow();
    }

    /** Confined to its thread, until that has ended. */
    private final class Client {
        private final int id;
        private final Random random;
        private Future<?> end = CompletableFuture.completedFuture(null);
        private int committed;
        private int doubtful;
        private long longestWait;

        private Client(int id, Random random) {
            this.id = id;
            this.random = random;
        }

        private void liveThrough(ProxyProcess home) {
            ProxyProcess through = home;
            while (!over) {
                try (Connection connection = through.connect()) {
                    while (!over) {
                        long before = System.nanoTime();
                        act(connection);
                        longestWait = Math.max(longestWait, System.nanoTime() - before);
                        counter(through.name).increment();
                    }
                } catch (SQLException e) {
                    failures.add(new Failure(through.name, e.getErrorCode() + " " + e.getMessage()));
                    through = another(through);
                }
            }
        }

        private ProxyProcess another(ProxyProcess than) {
            List<ProxyProcess> others = instances.stream()
                    .filter(instance -> !instance.equals(than) && instance.isAlive())
                    .toList();
            return others.isEmpty() ? than : others.get(random.nextInt(others.size()));
        }

        private void act(Connection connection) throws SQLException {
            int kind = random.nextInt(KINDS);
            try (Statement statement = connection.createStatement()) {
                if (kind < READS) {
                    read(statement);
                } else {
                    connection.setAutoCommit(false);
                    statement.execute("UPDATE tally SET n = n + 1 WHERE id = " + id);
                    read(statement);
                    if (kind < READS + COMMITS) {
                        commit(connection);
                    } else {
                        connection.rollback();
                    }
                    connection.setAutoCommit(true);
                }
            }
        }

        private void read(Statement statement) throws SQLException {
            int asked = random.nextInt();
            try (ResultSet rows = statement.executeQuery(WORK + "SELECT " + asked)) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(asked);
            }
        }

        private void commit(Connection connection) throws SQLException {
            doubtful++; // until it is answered
            connection.commit();
            doubtful--;
            committed++;
        }
    }
}
