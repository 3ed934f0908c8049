package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The buckets by their names. Confined to one thread, as its buckets are: a carrier with several threads has a registry
 * on each, and adds up their {@link RegistrySnapshot snapshots}.
 */
public final class PoolRegistry {
    private final Orders orders;
    private final LeasePort leases;
    private final SessionDistance distance;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>();
    private final List<Bucket> draining = new ArrayList<>();

    public PoolRegistry(Orders orders, LeasePort leases, SessionDistance distance) {
        this.orders = orders;
        this.leases = leases;
        this.distance = distance;
    }

    /** Adds a bucket. One of the same name must have been {@link #remove removed}, though it may still be draining. */
    public Bucket add(String id, BucketSettings settings, RandomGenerator random, long now) {
        if (buckets.containsKey(id)) {
            throw new IllegalArgumentException("There is a bucket " + id + " already: reconfigure or remove it");
        }
        Bucket bucket = new Bucket(id, settings, orders, leases, random, distance, now);
        buckets.put(id, bucket);
        return bucket;
    }

    public @Nullable Bucket bucket(String id) {
        return buckets.get(id);
    }

    /** The buckets that take requests. */
    public Collection<Bucket> buckets() {
        return Collections.unmodifiableCollection(buckets.values());
    }

    /** Takes a bucket out: no new requests reach it by name, and it drains. */
    public void remove(String id, long now) {
        Bucket bucket = buckets.remove(id);
        if (bucket != null) {
            draining.removeIf(Bucket::isDrained);
            draining.add(bucket);
            bucket.remove(now);
        }
    }

    /** Removed buckets that are not empty yet. */
    public List<Bucket> draining() {
        draining.removeIf(Bucket::isDrained);
        return List.copyOf(draining);
    }

    public RegistrySnapshot snapshot() {
        List<BucketSnapshot> all = new ArrayList<>();
        for (Bucket bucket : buckets.values()) {
            all.add(bucket.snapshot());
        }
        for (Bucket bucket : draining()) {
            all.add(bucket.snapshot());
        }
        return RegistrySnapshot.of(all);
    }
}
