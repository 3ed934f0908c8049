package dev.comporta.pool.settings;

import java.util.random.RandomGenerator;

/** The time of the present event and the settings in force, for all parts of a bucket. Changed by the bucket alone. */
public final class Conditions {
    private final RandomGenerator random;
    private long now;
    private Tuning tuning;
    private boolean removed;
    private boolean paused;
    /** How often it was paused. */
    private long pauses;

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

    /** Whether no client is given a connection until the operator resumes the bucket. A removed bucket is not paused. */
    public boolean isPaused() {
        return paused && !removed;
    }

    /** Grows with each pause, also of a bucket that is paused already. */
    public long pauses() {
        return pauses;
    }

    /** Connections of an earlier generation close when they are released. */
    public long generation() {
        return generation;
    }

    public RandomGenerator random() {
        return random;
    }

    /** A time earlier than the latest one counts as the latest one. */
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

    public void pause() {
        paused = true;
        pauses++;
    }

    public void resume() {
        paused = false;
    }

    public void reconnect() {
        generation++;
    }
}
