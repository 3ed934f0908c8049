package dev.comporta.lease.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The servers behind the buckets, as they see it: how many connections are open, and how many there ever were at once. */
public final class Database {
    private static final class Count {
        int open;
        int most;
        long opened;
        final List<Long> openedAt = new ArrayList<>();
    }

    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    private Count of(String bucket) {
        return counts.computeIfAbsent(bucket, b -> new Count());
    }

    public void opened(String bucket) {
        Count c = of(bucket);
        synchronized (c) {
            c.open++;
            c.opened++;
            c.openedAt.add(System.nanoTime());
            c.most = Math.max(c.most, c.open);
        }
    }

    public void closed(String bucket, int connections) {
        Count c = of(bucket);
        synchronized (c) {
            c.open -= connections;
        }
    }

    public int open(String bucket) {
        Count c = of(bucket);
        synchronized (c) {
            return c.open;
        }
    }

    public int most(String bucket) {
        Count c = of(bucket);
        synchronized (c) {
            return c.most;
        }
    }

    /** The most connections that were opened within any time of this length. */
    public int mostOpenedWithin(String bucket, Duration time) {
        Count c = of(bucket);
        synchronized (c) {
            int most = 0;
            int first = 0;
            for (int i = 0; i < c.openedAt.size(); i++) {
                while (c.openedAt.get(i) - c.openedAt.get(first) >= time.toNanos()) {
                    first++;
                }
                most = Math.max(most, i - first + 1);
            }
            return most;
        }
    }

    public long openedInAll(String bucket) {
        Count c = of(bucket);
        synchronized (c) {
            return c.opened;
        }
    }
}
