package dev.comporta.pool;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.HealthState;
import org.jspecify.annotations.Nullable;

/**
 * What is thought of the bucket's server, and when it may be tried. Only an opened connection, a regular check or a
 * probe that fails counts against the server: a single stale connection says nothing about it. Any answer counts in its
 * favour, so a server that refuses connects but serves those it has is not called down.
 */
final class Health {
    private final Bucket bucket;

    HealthState state = HealthState.UP;
    String reason = "";
    private int failures;
    private int successes;
    /** Grows with each answer and each failure that counts: what began before the latest of them says nothing new. */
    private long news;
    /** Failed rounds in a row: each doubles the pause. Connections that fail together are one round. */
    private int rounds;
    /** While up: no connect before then. While down: the next probe. */
    long retryAt;
    /** The next look at idle connections. */
    long checkAt;

    long downs;
    long checksPassed;
    long checksFailed;
    long since;
    /** Of the latest login or check; negative before the first. */
    long latencyNanos = -1;

    Health(Bucket bucket) {
        this.bucket = bucket;
        since = bucket.now();
        checkAt = since + bucket.tuning.checkIntervalNanos;
    }

    boolean isUp() {
        return state == HealthState.UP;
    }

    int failures() {
        return failures;
    }

    long news() {
        return news;
    }

    /** Whether a connection that has its slot may be opened now, the connect rate apart. */
    boolean mayConnect() {
        return switch (state) {
            case UP -> bucket.now() >= retryAt;
            case DOWN -> false;
            case PROBING -> true;
        };
    }

    void opened() {
        rounds = 0;
        if (isUp()) {
            retryAt = 0;
        }
        answered();
    }

    /** The server answered something. Called on the hot path. */
    void answered() {
        news++;
        if (failures == 0 && state == HealthState.UP) {
            return;
        }
        failures = 0;
        if (state == HealthState.UP) {
            return;
        }
        successes++;
        if (successes >= settings().recoveryThreshold()) {
            become(HealthState.UP, "");
            retryAt = 0;
            rounds = 0;
        } else {
            // One more success is wanted: no reason to wait for it.
            become(HealthState.DOWN, reason);
            retryAt = bucket.now();
        }
    }

    /**
     * The connection could not be opened, or did not work. Failures that began together are one: a server that refuses
     * seven connects in the same millisecond has failed once, and gets a pause before that is called a row.
     */
    void failed(ServerConnection c, String why) {
        if (c.newsAtStart == news || state == HealthState.PROBING) {
            news++;
            successes = 0;
            failures++;
        }
        if (bucket.now() >= retryAt || state == HealthState.PROBING) {
            rounds++;
            retryAt = bucket.now() + pause();
        }
        switch (state) {
            case UP -> {
                if (failures >= settings().failureThreshold()) {
                    downs++;
                    become(HealthState.DOWN, why);
                }
            }
            case PROBING -> become(HealthState.DOWN, why);
            case DOWN -> reason = why;
        }
    }

    /** The probe came to nothing, through no fault of the server. */
    void probeGivenUp() {
        rounds++;
        retryAt = bucket.now() + pause();
        become(HealthState.DOWN, reason);
    }

    /** What was heard may be due to the login alone: if it was the probe, another has to find out. */
    void probeSaysNothing() {
        if (state == HealthState.PROBING) {
            probeGivenUp();
        }
    }

    void probing() {
        become(HealthState.PROBING, reason);
    }

    /** There is nothing to probe with: whoever comes next finds out. */
    void assumeUp() {
        failures = 0;
        rounds = 0;
        retryAt = 0;
        become(HealthState.UP, "");
    }

    private void become(HealthState next, String why) {
        reason = why;
        if (state == next) {
            return;
        }
        state = next;
        since = bucket.now();
        successes = next == HealthState.UP ? 0 : successes;
        bucket.ring.healthChanged(next);
    }

    /** Doubled for each failed round, and half of it left to chance, so that a fleet does not knock in step. */
    private long pause() {
        long longest = bucket.tuning.maxBackoffNanos;
        int doublings = Math.min(rounds - 1, Long.numberOfLeadingZeros(bucket.tuning.backoffNanos) - 2);
        long full = Math.min(longest, bucket.tuning.backoffNanos << Math.max(0, doublings));
        return Math.max(1, full - bucket.random.nextLong(full / 2 + 1));
    }

    private HealthSettings settings() {
        return bucket.tuning.settings.health();
    }

    /** The idle connection that was not heard of for the longest time beyond the interval. */
    @Nullable
    ServerConnection dueForCheck() {
        ServerConnection due = null;
        long oldest = bucket.now() - bucket.tuning.checkIntervalNanos;
        for (ServerConnection c = bucket.ledger.idle.first(); c != null; c = c.stageAfter) {
            if (c.heardAt <= oldest) {
                oldest = c.heardAt - 1;
                due = c;
            }
        }
        return due;
    }
}
