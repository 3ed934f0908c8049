package dev.comporta.lease;

import dev.comporta.lease.store.LeaseStore;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.lease.LeasedBucket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This instance's membership in the fleet: leases the buckets' slots from the store. Any thread, except that a bucket's
 * port belongs to the bucket's thread.
 */
public final class FleetLeases implements LeaseSource {
    private static final Logger log = LoggerFactory.getLogger(FleetLeases.class);

    /** How often leases are checked for something due: one comparison each. */
    private static final Duration TICK = Duration.ofMillis(20);

    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final LeaseSettings settings;
    private final LeaseTerms terms;
    private final LeaseClock clock;
    private final LeaseStore store;
    private final LeaseNews news;
    private final LeaseOperations operations = new LeaseOperations();
    private final Map<String, BucketLease> leases = new ConcurrentHashMap<>();
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final AtomicLong incarnation = new AtomicLong();
    private final Thread ticker;
    private volatile boolean closed;

    /** @param store is closed with this */
    public FleetLeases(LeaseSettings settings, LeaseStore store) {
        this(settings, store, LeaseNews.NONE);
    }

    /** @param store is closed with this */
    public FleetLeases(LeaseSettings settings, LeaseStore store, LeaseNews news) {
        this(settings, store, news, new LeaseClock());
    }

    /** With a clock that a test sets. */
    public FleetLeases(LeaseSettings settings, LeaseStore store, LeaseClock clock) {
        this(settings, store, LeaseNews.NONE, clock);
    }

    private FleetLeases(LeaseSettings settings, LeaseStore store, LeaseNews news, LeaseClock clock) {
        this.settings = settings;
        this.store = store;
        this.news = news;
        this.clock = clock;
        terms = settings.terms();
        ticker = Thread.ofPlatform().name("comporta-lease").daemon().start(this::tick);
    }

    LeaseSettings settings() {
        return settings;
    }

    LeaseTerms terms() {
        return terms;
    }

    LeaseClock clock() {
        return clock;
    }

    LeaseStore store() {
        return store;
    }

    LeaseNews news() {
        return news;
    }

    RandomGenerator random() {
        return random;
    }

    long intervalNanos() {
        return settings.heartbeatInterval().toNanos();
    }

    /** Counts of the calls to the store, by outcome. */
    public LeaseOperations operations() {
        return operations;
    }

    /**
     * The lease of a bucket, one for its whole life. A bucket that was removed can get a new one when {@link #left} has
     * completed. {@link dev.comporta.pool.BucketControl#reconfigure} passes on a changed {@code max_connections}.
     */
    @Override
    public BucketLease leasesOf(String bucketId, LeasedBucket bucket) {
        BucketLease lease = new BucketLease(this, bucketId, bucket, nextIncarnation());
        if (closed || leases.putIfAbsent(bucketId, lease) != null) {
            throw new IllegalStateException(
                    "bucket " + bucketId + " already has a lease, or the lease store is closed");
        }
        store.listen(bucketId, lease::heard);
        return lease;
    }

    /** Higher than any incarnation of this instance before, in this process or in one that died. */
    private long nextIncarnation() {
        return incarnation.updateAndGet(
                last -> Math.max(last + 1, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())));
    }

    /**
     * To be called when a bucket was removed, by {@link dev.comporta.pool.BucketControl#remove}. Its tickets leave the
     * line at once, each slot is free when its connection is closed, and after the last one this instance is no longer
     * counted among those that share the bucket.
     *
     * @return complete when that is done; if the store can't be reached, when the attempt has failed
     */
    @Override
    public CompletableFuture<?> left(String bucketId) {
        BucketLease lease = leases.get(bucketId);
        return lease == null ? CompletableFuture.completedFuture(bucketId) : forget(lease);
    }

    private CompletableFuture<BucketLease> forget(BucketLease lease) {
        return lease.leaveWhenEmpty().whenComplete((_, _) -> {
            if (leases.remove(lease.bucketId(), lease)) {
                store.ignore(lease.bucketId());
            }
        });
    }

    /** The lease of a bucket; null when it has none. */
    public @Nullable BucketLease leaseOf(String bucketId) {
        return leases.get(bucketId);
    }

    /** A view of every bucket's slots: which instance holds how many, and this instance's standing towards the store. */
    public List<LeaseView> views() {
        return leases.values().stream().map(BucketLease::view).toList();
    }

    /** Whether some bucket can't lease slots from the store now. */
    public boolean isDegraded() {
        return leases.values().stream().anyMatch(l -> l.view().standing() != LeaseView.Standing.IN_TOUCH);
    }

    /** The instances that are in the books of some bucket, this one included. */
    public Collection<String> instances() {
        return views().stream()
                .flatMap(v -> v.fleet().stream())
                .map(LeaseView.Holder::instance)
                .distinct()
                .sorted()
                .toList();
    }

    private void tick() {
        while (!closed && pause(TICK)) {
            long now = clock.now();
            store.sendPosted(); // by leases that were due at the last tick
            for (BucketLease lease : leases.values()) {
                tick(lease, now);
            }
        }
    }

    private static void tick(BucketLease lease, long now) {
        try {
            lease.tick(now);
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("bucket", lease.bucketId())
                    .setCause(e)
                    .log("bucket {}: lease tick skipped, the bucket's thread rejects tasks", lease.bucketId());
        }
    }

    private static boolean pause(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Gives back the slots of all connections that have ended, waits briefly for that, and disconnects. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        CompletableFuture<?>[] farewells =
                leases.values().stream().map(BucketLease::leave).toArray(CompletableFuture<?>[]::new);
        await(CompletableFuture.allOf(farewells));
        ticker.interrupt();
        store.close();
    }

    private void await(CompletableFuture<?> farewells) {
        try {
            farewells.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("could not return all slots to the lease store; the rest expire in {}", settings.timeToLive());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
