package dev.comporta.lease.redis;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseClock;
import dev.comporta.pool.settings.BucketSettings;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** An instance of the fleet: real buckets and leases, one thread, and connections to nowhere. */
final class TestInstance implements AutoCloseable {
    /** Short, since other instances' views are as old as their last heartbeat. */
    static final Duration INTERVAL = Duration.ofMillis(200);
    /** Where no lease is to end: longer than anything that holds up this process, and than any test waits. */
    static final Duration LONG = Duration.ofSeconds(30);
    /** Where one is to end, and the test waits for it: those that are to live survive three seconds in which nothing moves. */
    static final Duration SHORT = Duration.ofSeconds(4);

    /** Nobody's lease ends, and no call fails for being slow. */
    static TestSettings settings(String name, RedisEndpoint redis, int divisor) {
        return settings(name, redis, divisor, LONG);
    }

    static TestSettings settings(String name, RedisEndpoint redis, int divisor, Duration timeToLive) {
        Duration patience = timeToLive.dividedBy(3);
        return new TestSettings(
                name,
                redis.withDialTimeout(patience).withCommandTimeout(patience),
                INTERVAL,
                timeToLive,
                true,
                divisor);
    }

    static BucketSettings limit(int max) {
        return BucketSettings.DEFAULTS
                .but()
                .maxConnections(max)
                .minIdle(0)
                .leaseRetry(Duration.ofMillis(50))
                .build();
    }

    final String name;
    final RedisLeaseStore store;
    final FleetLeases leases;
    private final Database database;
    private final Map<String, TestBucket> buckets = new TreeMap<>();
    private final ScheduledExecutorService loop;
    private volatile CountDownLatch pause = new CountDownLatch(0);

    TestInstance(TestSettings settings, Database database) {
        this(settings, database, new LeaseClock());
    }

    TestInstance(TestSettings settings, Database database, LeaseClock clock) {
        name = settings.instance();
        this.database = database;
        loop = new ScheduledThreadPoolExecutor(
                1,
                r -> Thread.ofPlatform()
                        .daemon()
                        .name("loop-" + settings.instance())
                        .unstarted(r),
                new ThreadPoolExecutor.DiscardPolicy()); // a dead process does nothing
        store = RedisLeaseStore.connect(settings.lease(), settings.redis());
        leases = new FleetLeases(settings.lease(), store, clock);
    }

    TestBucket bucket(String id, BucketSettings settings) {
        TestBucket bucket = new TestBucket(id, settings, leases, database, loop);
        buckets.put(id, bucket);
        return bucket;
    }

    /** Stops the process as SIGSTOP does, as far as the buckets are concerned. */
    void pause() {
        CountDownLatch until = new CountDownLatch(1);
        pause = until;
        loop.execute(() -> {
            try {
                until.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    void wake() {
        pause.countDown();
    }

    /** As kill -9 does. */
    void crash() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            buckets.values().forEach(TestBucket::die);
            done.countDown();
        });
        done.await();
        store.close();
        loop.shutdownNow();
        Thread.ofVirtual().start(leases::close); // waits a while for goodbyes, which the dead don't say
    }

    /** As SIGTERM does: clients are cut off, and connections closed. */
    @Override
    public void close() {
        wake();
        buckets.values().forEach(TestBucket::stop);
        leases.close();
        loop.shutdownNow();
    }
}
