package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.lease.redis.testkit.RedisProcess;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thousand threads that wait for a connection cost no CPU time. */
class WaitingCostTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int WAITING = 1000;
    private static final int SPANS = 20;
    private static final long SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private String carriers = "";
    private final StubServer server = new StubServer();
    private final ComportaDataSource pool = new ComportaDataSource();

    @BeforeEach
    void register() throws SQLException, InterruptedException {
        carriers = nameOfCarriers();
        DriverManager.registerDriver(server);
        pool.setJdbcUrl("jdbc:stub:x");
        pool.setPoolName("orders");
        pool.setMaximumPoolSize(2);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(PATIENCE);
    }

    @AfterEach
    void deregister() throws SQLException {
        pool.close();
        DriverManager.deregisterDriver(server);
    }

    /** What the names of the threads that carry virtual ones begin with: a virtual thread tells its carrier's. */
    private static String nameOfCarriers() throws InterruptedException {
        AtomicReference<String> told = new AtomicReference<>("");
        Thread.startVirtualThread(() -> told.set(Thread.currentThread().toString()))
                .join();
        return told.get().substring(told.get().indexOf('@') + 1, told.get().lastIndexOf('-'));
    }

    /** The CPU time of the threads that carry virtual ones: what compilers and others do beside them does not count. */
    private long cpuOfCarriers() {
        long sum = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(carriers)) {
                sum += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return sum;
    }

    /** The share of one core that they take, in the middle one of some spans of time. */
    private double shareOfACore() throws InterruptedException {
        List<Double> shares = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(SPANS);
        try (ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1)) {
            long[] last = {System.nanoTime(), cpuOfCarriers()};
            var _ = timer.scheduleAtFixedRate(
                    () -> {
                        long now = System.nanoTime();
                        long cpu = cpuOfCarriers();
                        if (over.getCount() > 0) {
                            shares.add((double) (cpu - last[1]) / (now - last[0]));
                            over.countDown();
                        }
                        last[0] = now;
                        last[1] = cpu;
                    },
                    SPAN_NANOS,
                    SPAN_NANOS,
                    TimeUnit.NANOSECONDS);
            assertThat(over.await(2, TimeUnit.MINUTES)).isTrue();
            timer.shutdownNow();
        }
        return shares.stream().sorted().toList().get(SPANS / 2);
    }

    private void aThousandWait() throws Exception {
        for (int i = 0; i < 50; i++) {
            pool.getConnection().close(); // loans that are shorter than a wake-up
        }
        AtomicInteger served = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            for (int i = 0; i < WAITING; i++) {
                clients.add(Thread.startVirtualThread(() -> {
                    try (Connection _ = pool.getConnection()) {
                        served.incrementAndGet();
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                }));
            }
            await().atMost(PATIENCE).until(() -> pool.statistics().waiting() == WAITING);
            assertThat(cpuOfCarriers()).as("carriers are seen").isPositive();
            assertThat(shareOfACore()).as("of a core").isLessThan(0.2);
            assertThat(pool.statistics().waiting()).isEqualTo(WAITING);
            assertThat(first).isNotSameAs(second);
        }
        for (Thread client : clients) {
            assertThat(client.join(PATIENCE)).isTrue();
        }
        assertThat(served.get()).isEqualTo(WAITING);
    }

    @Test
    void inAPoolOfItsOwn() throws Exception {
        aThousandWait();
    }

    @Test
    void whereEachLoanIsFollowedByAReset() throws Exception {
        pool.setResetOnRelease(true);
        aThousandWait();
    }

    @Test
    void whereAFleetSharesTheLimit() throws Exception {
        try (RedisProcess redis = new RedisProcess()) {
            pool.setLeases("redis://127.0.0.1:" + redis.port());
            pool.setLocalLimitDivisor(1);
            aThousandWait();
            pool.close();
        }
    }
}
