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
 * This instance's part in the fleet: leases the buckets' slots from the store. Any thread; a bucket's own port belongs to the
 * bucket's thread.
 */
public final class FleetLeases implements LeaseSource {
    private static final Logger log = LoggerFactory.getLogger(FleetLeases.class);

    /** How often leases are looked at for something due: one comparison each. */
    private static final Duration TICK = Duration.ofMillis(20);

    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final LeaseSettings settings;
    private final LeaseTerms terms;
    private final LeaseClock clock;
    private final LeaseStore store;
    private final LeaseOperations operations = new LeaseOperations();
    private final Map<String, BucketLease> leases = new ConcurrentHashMap<>();
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final AtomicLong incarnation = new AtomicLong();
    private final Thread ticker;
    private volatile boolean closed;

    /** @param store is closed with this */
    public FleetLeases(LeaseSettings settings, LeaseStore store) {
        this(settings, store, new LeaseClock());
    }

    /** With a clock that a test sets. */
    public FleetLeases(LeaseSettings settings, LeaseStore store, LeaseClock clock) {
        this.settings = settings;
        this.store = store;
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

    RandomGenerator random() {
        return random;
    }

    long intervalNanos() {
        return settings.heartbeatInterval().toNanos();
    }

    /** What was asked of the store so far, and what came of it. */
    public LeaseOperations operations() {
        return operations;
    }

    /**
     * One for each bucket and its life: a bucket that was removed and comes again has one when {@link #left} is over. A changed {@code max_connections} is told by
     * {@link dev.comporta.pool.BucketControl#reconfigure}, which passes it on.
     */
    @Override
    public BucketLease leasesOf(String bucketId, LeasedBucket bucket) {
        BucketLease lease = new BucketLease(this, bucketId, bucket, nextIncarnation());
        if (closed || leases.putIfAbsent(bucketId, lease) != null) {
            throw new IllegalStateException("bucket " + bucketId + " has a lease already, or there are none any more");
        }
        store.listen(bucketId, lease::heard);
        return lease;
    }

    /** Above all that a lease of this instance had before, in this process or in one that died. */
    private long nextIncarnation() {
        return incarnation.updateAndGet(
                last -> Math.max(last + 1, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())));
    }

    /**
     * To be called when a bucket was removed, by {@link dev.comporta.pool.BucketControl#remove}. It stands in nobody's way from
     * then on: its tickets are out of the line at once, each slot is free when its connection is closed, and with the last
     * one this instance is no longer counted among those that share the bucket.
     *
     * @return done when that is so; if the store can't be reached, when it was tried
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

    /** What is known of every bucket's slots: who holds how many, and how this instance stands with the store. */
    public List<LeaseView> views() {
        return leases.values().stream().map(BucketLease::view).toList();
    }

    /** Whether some bucket's slots can't be had from the store now. */
    public boolean isDegraded() {
        return leases.values().stream().anyMatch(l -> l.view().standing() != LeaseView.Standing.IN_TOUCH);
    }

    /** The instances that some bucket's books have now, this one included. */
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
            store.sendPosted(); // by those that were due at the last tick
            for (BucketLease lease : leases.values()) {
                tick(lease, now);
            }
        }
    }

    private static void tick(BucketLease lease, long now) {
        try {
            lease.tick(now);
        } catch (RuntimeException e) {
            log.warn("bucket {}: its thread takes no tasks", lease.bucketId(), e);
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

    /** Gives back the slots of all connections that have ended, waits for that a little, and disconnects. */
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
            log.warn("not all slots could be given back; the others expire {} from now", settings.timeToLive());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
