package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
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
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** Three reads for each two transactions; one transaction in five is rolled back. */
    private static final int KINDS = 10;

    private static final int READS = 6;
    private static final int COMMITS = 3;

    /** What a client saw go wrong, and through which instance. */
    record Failure(String through, String what) {}

    private final ServedBucket bucket;
    private final List<ProxyProcess> instances;
    private final Random seeds;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Client> clients = new ArrayList<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> done = new ConcurrentHashMap<>();
    private volatile boolean over;

    /** @param seeds decides what each client does, in which order */
    MixedLoad(ServedBucket bucket, List<ProxyProcess> instances, int clientsEach, Random seeds) throws SQLException {
        this.bucket = bucket;
        this.instances = new CopyOnWriteArrayList<>(instances);
        this.seeds = seeds;
        try (Connection connection = bucket.connect(instances.getFirst());
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE tally SET n = 0");
        }
        for (ProxyProcess instance : instances) {
            add(instance, clientsEach);
        }
    }

    /** Returns when every instance has served each of its clients once or so. */
    MixedLoad awaitEveryoneWorks() {
        await("everyone works")
                .atMost(FleetOfProcesses.QUEUE_TIMEOUT)
                .until(() -> instances.stream().allMatch(instance -> doneThrough(instance) > clients.size() / 3));
        return this;
    }

    /** Returns when the load has gone on through this instance. */
    void awaitProgress(ProxyProcess through, Duration within) {
        long before = doneThrough(through);
        await(through + " goes on").atMost(within).until(() -> doneThrough(through) > before + clients.size() / 3);
    }

    /** One was started in another's place: those who look for an instance find it. */
    void replace(ProxyProcess old, ProxyProcess by) {
        instances.remove(old);
        instances.add(by);
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
        Duration longest = longestWait();
        System.out.println(bucket.name + ": " + done + ", longest wait " + longest.toMillis() + " ms, failures "
                + failures.size());
        assertThat(longest).as("the longest wait").isLessThan(FleetOfProcesses.QUEUE_TIMEOUT);
    }

    Duration longestWait() {
        return clients.stream()
                .map(client -> Duration.ofNanos(client.longestWait))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    /** Every commit that was answered is in the database, and nothing that was rolled back. */
    void verifyCommits(ProxyProcess through) throws SQLException {
        assertThat(clients.stream().mapToInt(client -> client.committed).sum())
                .as("commits that were answered")
                .isPositive();
        try (Connection connection = bucket.connect(through);
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
                try (Connection connection = bucket.connect(through)) {
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
