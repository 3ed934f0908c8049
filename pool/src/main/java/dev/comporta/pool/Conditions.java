package dev.comporta.pool;

import dev.comporta.pool.settings.Tuning;
import java.util.random.RandomGenerator;

/** What all parts of a bucket go by: the time of the present event, the settings in force. Changed by {@link Bucket} alone. */
final class Conditions {
    private final RandomGenerator random;
    private long now;
    private Tuning tuning;
    private boolean removed;
    private long generation;

    Conditions(Tuning tuning, RandomGenerator random, long now) {
        this.tuning = tuning;
        this.random = random;
        this.now = now;
    }

    long now() {
        return now;
    }

    Tuning tuning() {
        return tuning;
    }

    boolean isRemoved() {
        return removed;
    }

    /** Connections of an earlier generation close as they are released. */
    long generation() {
        return generation;
    }

    RandomGenerator random() {
        return random;
    }

    /** A time before the last one is taken for the last one. */
    void advance(long at) {
        if (at > now) {
            now = at;
        }
    }

    void retune(Tuning to) {
        tuning = to;
    }

    void remove() {
        removed = true;
    }

    void reconnect() {
        generation++;
    }
}
