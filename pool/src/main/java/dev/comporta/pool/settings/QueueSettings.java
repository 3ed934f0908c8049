package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * The queue in front of a bucket.
 *
 * @param timeout {@code queue_timeout}: how long a waiter waits before it is refused
 * @param maxSize {@code max_queue_size}: a request that would wait is refused at once when as many wait already
 * @param whenDown {@code when_down}: what a request does while the server is down and no open connection can serve it
 */
public record QueueSettings(Duration timeout, int maxSize, WhenDown whenDown) {
    public static final QueueSettings DEFAULTS = new QueueSettings(Duration.ofSeconds(30), 1000);

    /** What happens to requests while the server is down. */
    public enum WhenDown {
        /** They wait in the queue, within its size and its timeout, while the server is tried again and again. */
        WAIT,
        /** They are refused at once. */
        REFUSE
    }

    /** Settings with {@link WhenDown#WAIT}. */
    public QueueSettings(Duration timeout, int maxSize) {
        this(timeout, maxSize, WhenDown.WAIT);
    }

    public QueueSettings {
        Require.positive("queue_timeout", timeout);
        // A request for which a connection is being opened waits in the queue too.
        Require.atLeast("max_queue_size", maxSize, 1);
    }
}
