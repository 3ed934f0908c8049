package dev.comporta.proxy.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Every client, server connection and waiter of a bucket at one moment.
 *
 * @param at the time of the snapshot
 * @param now the same in the bucket's time: nanoseconds since its own origin
 * @param waiters in order of arrival
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

    /** Converts the bucket's time to the time of the clock. */
    public Instant instant(long bucketTime) {
        return at.plusNanos(bucketTime - now);
    }

    public Duration since(long bucketTime) {
        return Duration.ofNanos(Math.max(0, now - bucketTime));
    }
}
