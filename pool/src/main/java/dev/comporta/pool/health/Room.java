package dev.comporta.pool.health;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Whether the server has room for another connection. A server that is full answers: it is up, and the connections that it
 * has go on to serve. Only openings slow down: one at a time, after pauses that grow, until one succeeds. The server is full
 * for all pools of the bucket alike.
 */
public final class Room {
    /** The widest window. After it, only slots and the connect rate limit the openings at the same time. */
    private static final int WIDEST = 64;
    /** How long a server counts as full in reports after it was last found so: while a request waits, it is tried more often. */
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(1).toNanos();

    private final Conditions conditions;
    private final Consumer<Boolean> changed;

    private boolean full;
    private String reason = "";
    private long since;
    /** Rounds of openings in a row that found it full: each doubles the pause. */
    private int rounds;

    private long retryAt;
    private long lastFullAt;
    /** How many connections may be opened at the same time: 1 while it is full, doubled with each success afterwards. */
    private int window = Integer.MAX_VALUE;

    /** How often it became full. */
    private long times;

    /** @param changed receives true when the server becomes full, and false when it has room again */
    public Room(Conditions conditions, Consumer<Boolean> changed) {
        this.conditions = conditions;
        this.changed = changed;
    }

    public boolean isFull() {
        return full;
    }

    /** Whether an opening may be tried now; always so while the server is not known to be full. */
    public boolean isTrialDue() {
        return !full || conditions.now() >= retryAt;
    }

    /** How many connections may be opened at the same time. */
    public int window() {
        return window;
    }

    /** The server had no room for a connection. Openings that were under way together are one round. */
    public void full(String why) {
        long now = conditions.now();
        reason = why;
        lastFullAt = now;
        window = 1;
        if (!full) {
            full = true;
            times++;
            since = now;
            nextRound();
            changed.accept(true);
        } else if (now >= retryAt) {
            nextRound();
        }
    }

    private void nextRound() {
        rounds++;
        Tuning tuning = conditions.tuning();
        retryAt = conditions.now()
                + Health.pause(rounds, tuning.fullBackoffNanos, tuning.fullMaxBackoffNanos, conditions.random());
    }

    /**
     * A connection was opened.
     *
     * @param startedAt when its opening began: one from before the server was found full may have taken the last place
     * @param inPlace whether it was opened in place of another: that shows no room for more, but the next may replace one at once
     */
    public void opened(long startedAt, boolean inPlace) {
        if (full && startedAt >= retryAt) {
            if (inPlace) {
                retryAt = conditions.now();
            } else {
                end();
                window = 2;
            }
        } else if (!full && window < WIDEST) {
            window *= 2;
        } else if (!full) {
            window = Integer.MAX_VALUE;
        }
    }

    /** The server went down, and lost its connections: it is not known to be full any more. */
    public void forget() {
        window = Integer.MAX_VALUE;
        if (full) {
            end();
        }
    }

    private void end() {
        full = false;
        rounds = 0;
        retryAt = 0;
        changed.accept(false);
    }

    /** When it may be tried; undefined while it is not full. */
    public long retryAt() {
        return retryAt;
    }

    /** The server's message when it was last full. */
    public String reason() {
        return reason;
    }

    /** When it became full; undefined while it is not. */
    public long since() {
        return since;
    }

    public long nextDeadline() {
        if (!full || conditions.isRemoved()) {
            return Long.MAX_VALUE;
        }
        long forgottenAt = lastFullAt + FORGOTTEN_NANOS; // a tick lets a bucket without events notice it
        long next = conditions.now() < retryAt ? retryAt : forgottenAt;
        return conditions.now() < next ? next : Long.MAX_VALUE;
    }

    /** @param failures openings that the server had no room for */
    public BucketSnapshot.RoomSnapshot snapshot(long failures, boolean awaited) {
        boolean known = full && (awaited || conditions.now() - lastFullAt < FORGOTTEN_NANOS);
        return new BucketSnapshot.RoomSnapshot(known, reason, since, failures, times, retryAt);
    }
}
