package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * The queue in front of a bucket.
 *
 * @param timeout {@code queue_timeout}: how long a waiter waits before it is refused
 * @param maxSize {@code max_queue_size}: a request that would wait is refused at once when as many wait already
 */
public record QueueSettings(Duration timeout, int maxSize) {
    public static final QueueSettings DEFAULTS = new QueueSettings(Duration.ofSeconds(30), 1000);

    public QueueSettings {
        Require.positive("queue_timeout", timeout);
        // Whoever waits for a connection that is being opened for it waits in the queue too.
        Require.atLeast("max_queue_size", maxSize, 1);
    }
}
