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

    /** How many connections have been idle since that time: they can be closed without any client missing them. */
    int idleSince(long time);

    /** The fleet's connect rate permits this many more connects. */
    void connectsAllowed(int connects);

    /** Another instance raised the limit: this bucket may hold this many slots, even if its own settings say less. */
    void limitRaised(int limit);
}
