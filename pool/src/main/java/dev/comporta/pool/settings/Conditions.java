package dev.comporta.pool.settings;

import java.util.random.RandomGenerator;

/** What all parts of a bucket go by: the time of the present event, the settings in force. Changed by the bucket alone. */
public final class Conditions {
    private final RandomGenerator random;
    private long now;
    private Tuning tuning;
    private boolean removed;
    private long generation;

    public Conditions(Tuning tuning, RandomGenerator random, long now) {
        this.tuning = tuning;
        this.random = random;
        this.now = now;
    }

    public long now() {
        return now;
    }

    public Tuning tuning() {
        return tuning;
    }

    public boolean isRemoved() {
        return removed;
    }

    /** Connections of an earlier generation close as they are released. */
    public long generation() {
        return generation;
    }

    public RandomGenerator random() {
        return random;
    }

    /** A time before the last one is taken for the last one. */
    public void advance(long at) {
        if (at > now) {
            now = at;
        }
    }

    public void retune(Tuning to) {
        tuning = to;
    }

    public void remove() {
        removed = true;
    }

    public void reconnect() {
        generation++;
    }
}
