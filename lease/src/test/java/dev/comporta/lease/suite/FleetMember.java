package dev.comporta.lease.suite;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.pool.settings.BucketSettings;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** An instance of the fleet: real buckets and leases, one thread, and connections to nowhere. */
public class FleetMember implements AutoCloseable {
    /** Short, since other instances' views are as old as their last heartbeat. */
    public static final Duration INTERVAL = Duration.ofMillis(200);
    /** Where no lease is to end: longer than anything that holds up this process, and than any test waits. */
    public static final Duration LONG = Duration.ofSeconds(30);
    /** Where one is to end, and the test waits for it: those that are to live survive three seconds in which nothing moves. */
    public static final Duration SHORT = Duration.ofSeconds(4);

    /** @param divisor how many instances there may be, at least */
    public static LeaseSettings settings(String name, int divisor, Duration timeToLive) {
        return new LeaseSettings(name, INTERVAL, timeToLive, true, divisor);
    }

    public static BucketSettings limit(int max) {
        return BucketSettings.DEFAULTS
                .but()
                .maxConnections(max)
                .minIdle(0)
                .leaseRetry(Duration.ofMillis(50))
                .build();
    }

    public final String name;
    public final LeaseStore store;
    public final FleetLeases leases;
    private final Database database;
    private final Map<String, TestBucket> buckets = new TreeMap<>();
    private final ScheduledExecutorService loop;
    private volatile CountDownLatch pause = new CountDownLatch(0);

    public FleetMember(LeaseSettings settings, LeaseStore store, Database database, LeaseClock clock) {
        name = settings.instance();
        this.store = store;
        this.database = database;
        loop = new ScheduledThreadPoolExecutor(
                1,
                r -> Thread.ofPlatform()
                        .daemon()
                        .name("loop-" + settings.instance())
                        .unstarted(r),
                new ThreadPoolExecutor.DiscardPolicy()); // a dead process does nothing
        leases = new FleetLeases(settings, store, clock);
    }

    public TestBucket bucket(String id, BucketSettings settings) {
        TestBucket bucket = new TestBucket(id, settings, leases, database, loop);
        buckets.put(id, bucket);
        return bucket;
    }

    /** Stops the process as SIGSTOP does, as far as the buckets are concerned. */
    public void pause() {
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

    public void wake() {
        pause.countDown();
    }

    /** As kill -9 does. */
    public void crash() throws InterruptedException {
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
