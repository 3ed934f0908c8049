package dev.comporta.proxy.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Everything in a bucket at one moment, one by one.
 *
 * @param at when it was taken
 * @param now the same in the bucket's time: nanoseconds since an origin of its own
 * @param waiters by their arrival, the oldest first
 */
public record BucketDetail(
        String bucket,
        Instant at,
        long now,
        List<ClientSnapshot> clients,
        List<ConnectionSnapshot> connections,
        List<WaiterSnapshot> waiters) {
    public BucketDetail {
        clients = List.copyOf(clients);
        connections = List.copyOf(connections);
        waiters = List.copyOf(waiters);
    }

    /** A moment in the bucket's time as others know it. */
    public Instant instant(long bucketTime) {
        return at.plusNanos(bucketTime - now);
    }

    public Duration since(long bucketTime) {
        return Duration.ofNanos(Math.max(0, now - bucketTime));
    }
}
