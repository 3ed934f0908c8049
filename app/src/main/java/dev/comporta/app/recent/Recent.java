package dev.comporta.app.recent;

import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes a snapshot of every bucket every five seconds, on its own event loop, and keeps a history of the last quarter of an
 * hour. Any thread.
 */
public final class Recent implements AutoCloseable {
    /** The time between two snapshots. */
    public static final Duration EVERY = Duration.ofSeconds(5);

    /** A loop that takes longer is in trouble; the next snapshot comes soon. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Proxy proxy;
    private final Map<String, BucketHistory> histories = new ConcurrentHashMap<>();
    private final Thread watcher;

    private Recent(Proxy proxy) {
        this.proxy = proxy;
        watcher = Thread.ofVirtual().name("recent").unstarted(this::watch);
    }

    public static Recent start(Proxy proxy) {
        Recent started = new Recent(proxy);
        started.watcher.start();
        return started;
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                look();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        proxy.glances(PATIENCE).forEach((bucket, glance) -> {
            Sample sample = Sample.of(glance);
            histories.computeIfAbsent(bucket, _ -> new BucketHistory(sample)).add(sample);
        });
        histories.keySet().retainAll(proxy.buckets());
    }

    /**
     * The bucket's figures up to this glance: requests a second over about ten seconds, percentiles over about a minute, or
     * since the bucket was added if that is later.
     */
    public RecentFigures figures(String bucket, Glance glance) {
        Sample now = Sample.of(glance);
        BucketHistory history = histories.get(bucket);
        return (history == null ? new BucketHistory(now) : history).figures(now);
    }

    /** At most a quarter of an hour, the oldest point first; empty for an unknown bucket. */
    public List<Point> history(String bucket) {
        BucketHistory history = histories.get(bucket);
        return history == null ? List.of() : history.points();
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
