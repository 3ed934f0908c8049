package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.comporta.jdbc.handle.LeakWatch;
import dev.comporta.jdbc.stub.StubServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A connection that is kept for too long is told in the log, with who took it, where, and for how long it was kept. */
class LeakDetectionTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern RETURNED = Pattern.compile(
            "pool orders: the connection that thread (.*) took was returned after (\\d+) ms: no leak, but a long loan");

    private final StubServer server = new StubServer();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LeakWatch.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    /** Where connections come from. */
    private interface Source {
        Connection connect() throws SQLException;
    }

    @BeforeEach
    void listen() throws SQLException {
        DriverManager.registerDriver(server);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() throws SQLException {
        logger.detachAppender(lines);
        DriverManager.deregisterDriver(server);
    }

    private List<ILoggingEvent> lines() {
        return List.copyOf(lines.list);
    }

    private static Connection takeConnectionForTooLong(Source source) throws SQLException {
        return source.connect();
    }

    /** A thread of this name takes a connection, and keeps it until it was told. */
    private void leakAndReturn(Source source) throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        FutureTask<Boolean> taking = keep(() -> takeConnectionForTooLong(source), told);
        Thread taker = Thread.ofPlatform().name("report of Monday").start(taking);
        await().atMost(PATIENCE).until(() -> !lines().isEmpty());
        long keptAtLeast = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        await().atMost(PATIENCE).until(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) > keptAtLeast + 20);
        told.countDown();
        assertThat(taker.join(PATIENCE)).isTrue();
        assertThat(taking.get()).as("closed though it is kept").isFalse();
    }

    /** @return whether the connection was closed, by others, when it was told */
    private static FutureTask<Boolean> keep(Source source, CountDownLatch told) {
        return new FutureTask<>(() -> {
            try (Connection kept = source.connect()) {
                told.await();
                return kept.isClosed();
            }
        });
    }

    private void assertTold() {
        ILoggingEvent line = lines().getFirst();
        assertThat(line.getFormattedMessage())
                .contains("pool orders: a connection was not returned within 5 ms")
                .contains("Thread report of Monday took it at the place below");
        assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
                .anyMatch(frame -> frame.getSTEAsString().contains("takeConnectionForTooLong"));
        Matcher returned = RETURNED.matcher(lines().getLast().getFormattedMessage());
        assertThat(returned.matches())
                .as(lines().getLast().getFormattedMessage())
                .isTrue();
        assertThat(returned.group(1)).isEqualTo("report of Monday");
        assertThat(Long.parseLong(returned.group(2)))
                .as("ms that it was kept: those of the threshold, and 20 after it was told")
                .isBetween(25L, PATIENCE.toMillis());
        assertThat(lines()).hasSize(2);
    }

    @Test
    void aDataSourceTellsWhoTookItWhereAndForHowLong() throws Exception {
        try (ComportaDataSource pool = new ComportaDataSource()) {
            pool.setJdbcUrl("jdbc:stub:x");
            pool.setPoolName("orders");
            pool.setMinimumIdle(0);
            pool.setLeakDetectionThreshold(Duration.ofMillis(5));
            leakAndReturn(pool::getConnection);
        }
        assertTold();
    }

    private static ServerDefinition definition(String threshold) {
        Map<String, String> options = new HashMap<>(Map.of(
                "jdbcUrl", "jdbc:stub:x", "username", "app", "minIdle", "0", "leakDetectionThreshold", threshold));
        return new ServerDefinition("orders", options);
    }

    @Test
    void aServerOfTheRegistryTellsTheSame() throws Exception {
        try (ServerRegistry registry = new ServerRegistry()) {
            registry.register(definition("5ms"));
            leakAndReturn(() -> registry.acquire("orders", "", PATIENCE));
        }
        assertTold();
    }

    @Test
    void aThresholdThatIsSetLaterHoldsFromThenOn() throws Exception {
        try (ServerRegistry registry = new ServerRegistry()) {
            registry.register(definition("0"));
            registry.acquire("orders", "", PATIENCE).close();
            registry.update(definition("5ms"));
            leakAndReturn(() -> registry.acquire("orders", "", PATIENCE));
        }
        assertTold();
    }

    @Test
    void aThreadWithoutANameIsToldByItsNumber() throws Exception {
        try (ComportaDataSource pool = new ComportaDataSource()) {
            pool.setJdbcUrl("jdbc:stub:x");
            pool.setPoolName("orders");
            pool.setMinimumIdle(0);
            pool.setLeakDetectionThreshold(Duration.ofMillis(5));
            CountDownLatch told = new CountDownLatch(1);
            FutureTask<Boolean> taking = keep(pool::getConnection, told);
            Thread taker = Thread.startVirtualThread(taking);
            await().atMost(PATIENCE).until(() -> !lines().isEmpty());
            told.countDown();
            assertThat(taker.join(PATIENCE)).isTrue();
            assertThat(taking.get()).as("closed though it is kept").isFalse();
            assertThat(lines().getFirst().getFormattedMessage()).contains("Thread #" + taker.threadId() + " took it");
        }
    }

    @Test
    void aConnectionThatIsReturnedInTimeIsNotMentioned() throws Exception {
        Duration threshold = Duration.ofMillis(500);
        int late = 0; // of a machine that stood still
        try (ServerRegistry registry = new ServerRegistry()) {
            registry.register(definition(threshold.toMillis() + "ms"));
            for (int i = 0; i < 100; i++) {
                long since = System.nanoTime();
                registry.acquire("orders", "", PATIENCE).close();
                late += System.nanoTime() - since < threshold.toNanos() ? 0 : 1;
            }
            leakAndReturn(() -> registry.acquire("orders", "", PATIENCE)); // told when those before it would have been
        }
        assertThat(lines())
                .filteredOn(line -> !line.getFormattedMessage().contains("report of Monday"))
                .hasSizeLessThanOrEqualTo(2 * late);
    }
}
