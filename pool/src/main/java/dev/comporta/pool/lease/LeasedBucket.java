package dev.comporta.pool.lease;

import dev.comporta.pool.settings.BucketSettings;
import java.util.concurrent.Executor;

/**
 * A bucket as its lease store sees it. {@link #execute} runs a task on the bucket's thread, from any thread; everything
 * else belongs to that thread.
 */
public interface LeasedBucket extends SlotAnswers, Executor {
    /** The bucket's time in nanoseconds: its events are dated by it. */
    long now();

    BucketSettings settings();

    /** Connections that nobody has used since then: they can be closed without anyone missing them. */
    int idleSince(long time);

    /** The fleet's connect rate permits so many more connects. */
    void connectsAllowed(int connects);

    /** Another instance changed the limit: this bucket may hold so many slots, where its own settings say less. */
    void limitRaised(int limit);
}
