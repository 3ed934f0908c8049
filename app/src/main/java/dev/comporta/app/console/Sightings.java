package dev.comporta.app.console;

import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.proxy.watch.BucketDetail;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Takes snapshots of the buckets for queries, each on its event loop, by one caller at a time and at most once in a short
 * time: so many queries cause little work for the loops, and a statement that joins two views sees the same moment in both.
 * Any thread but an event loop.
 */
final class Sightings {
    /** A loop that takes longer is in trouble; its bucket's last snapshot is used. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long FRESH_NANOS = Duration.ofMillis(200).toNanos();

    private final Proxy proxy;
    private final Last<Glance> glances = new Last<>(of -> of.glances(PATIENCE));
    private final Last<BucketDetail> details = new Last<>(of -> of.details(PATIENCE));

    Sightings(Proxy proxy) {
        this.proxy = proxy;
    }

    /** Snapshots of the buckets without their single clients and connections. */
    Map<String, Glance> glances() {
        return glances.of(proxy);
    }

    /** Snapshots of the buckets with all clients and connections. */
    Map<String, BucketDetail> details() {
        return details.of(proxy);
    }

    /** Drops the snapshots after a command, so that queries see its effect. */
    void forget() {
        glances.forget();
        details.forget();
    }

    /** @param staleAt the {@link System#nanoTime} at which it expires */
    private record Seen<T>(Map<String, T> buckets, long staleAt) {
        boolean isStale() {
            return System.nanoTime() - staleAt >= 0;
        }
    }

    private static final class Last<T> {
        private final Function<Proxy, Map<String, T>> ask;
        private volatile Seen<T> last = new Seen<>(Map.of(), System.nanoTime());

        Last(Function<Proxy, Map<String, T>> ask) {
            this.ask = ask;
        }

        Map<String, T> of(Proxy proxy) {
            Seen<T> seen = last;
            return seen.isStale() ? BackgroundWork.awaiting(() -> look(proxy)) : seen.buckets;
        }

        private synchronized Map<String, T> look(Proxy proxy) {
            if (last.isStale()) {
                Map<String, T> now = new TreeMap<>(last.buckets);
                now.putAll(ask.apply(proxy));
                now.keySet().retainAll(proxy.buckets());
                last = new Seen<>(now, System.nanoTime() + FRESH_NANOS);
            }
            return last.buckets;
        }

        synchronized void forget() {
            last = new Seen<>(last.buckets, System.nanoTime());
        }
    }
}
