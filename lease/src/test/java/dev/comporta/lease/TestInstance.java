package dev.comporta.lease;

import dev.comporta.pool.settings.BucketSettings;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** An instance of the fleet: real buckets and leases, one thread, and connections to nowhere. */
final class TestInstance implements AutoCloseable {
    static final Duration TTL = Duration.ofSeconds(2);

    static LeaseSettings settings(String name, RedisEndpoint redis, int divisor) {
        return new LeaseSettings(name, redis, Duration.ofMillis(500), TTL, true, divisor);
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
    final RedisLeases leases;
    private final Database database;
    private final Map<String, TestBucket> buckets = new TreeMap<>();
    private final ScheduledExecutorService loop;
    private volatile CountDownLatch pause = new CountDownLatch(0);
    private volatile boolean dead;

    TestInstance(LeaseSettings settings, Database database) {
        name = settings.instance();
        this.database = database;
        loop = Executors.newSingleThreadScheduledExecutor(r ->
                Thread.ofPlatform().daemon().name("loop-" + settings.instance()).unstarted(r));
        leases = RedisLeases.connect(settings);
    }

    TestBucket bucket(String id, BucketSettings settings) {
        TestBucket bucket = new TestBucket(id, settings, leases, database, this::run);
        buckets.put(id, bucket);
        loop.scheduleAtFixedRate(() -> run(bucket::tick), 20, 20, TimeUnit.MILLISECONDS);
        return bucket;
    }

    private void run(Runnable task) {
        if (!dead) {
            loop.execute(() -> {
                if (!dead) {
                    task.run();
                }
            });
        }
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
            dead = true;
            buckets.values().forEach(TestBucket::die);
            done.countDown();
        });
        done.await();
        leases.link().close();
        loop.shutdownNow();
        leases.close();
    }

    @Override
    public void close() {
        wake();
        leases.close();
        dead = true;
        loop.shutdownNow();
    }
}
