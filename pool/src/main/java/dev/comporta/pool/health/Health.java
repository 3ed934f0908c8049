package dev.comporta.pool.health;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.util.function.Consumer;

/**
 * Whether the bucket's server is up, and when it may be tried. Only a failed opening, scheduled check or probe counts as
 * a failure of the server: a stale connection says nothing about it. Any answer counts as a success, so a server that
 * refuses connects but serves open connections is not down.
 */
public final class Health {
    private final Conditions conditions;
    private final Consumer<HealthState> changed;

    private HealthState state = HealthState.UP;
    private String reason = "";
    private int failures;
    private int successes;
    /**
     * Grows with each answer and each counted failure: the outcome of an attempt that began before the latest of them
     * says nothing new.
     */
    private long news;
    /** Failed rounds in a row: each doubles the pause. Connections that fail together are one round. */
    private int rounds;
    /** While up: no connect before then. While down: the next probe. */
    private long retryAt;
    /** The next look at idle connections. */
    private long checkAt;

    private long downs;
    private long checksPassed;
    private long checksFailed;
    private long since;
    /** The duration of the latest login or check; negative before the first. */
    private long latencyNanos = -1;

    public Health(Conditions conditions, Consumer<HealthState> changed) {
        this.conditions = conditions;
        this.changed = changed;
        since = conditions.now();
        checkAt = since + conditions.tuning().checkIntervalNanos;
    }

    public boolean isUp() {
        return state == HealthState.UP;
    }

    public long news() {
        return news;
    }

    /** Whether a connection that has a slot may be opened now, as far as the server's health is concerned. */
    public boolean mayConnect() {
        return switch (state) {
            case UP -> conditions.now() >= retryAt;
            case DOWN -> false;
            case PROBING -> true;
        };
    }

    public void opened(long tookNanos) {
        latencyNanos = tookNanos;
        reached();
    }

    /** The server has answered a login, in whatever way. */
    public void reached() {
        rounds = 0;
        if (isUp()) {
            retryAt = 0;
        }
        answered();
    }

    /** The server answered something. Called on the hot path. */
    public void answered() {
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
            // One more success is needed, and may be tried at once.
            become(HealthState.DOWN, reason);
            retryAt = conditions.now();
        }
    }

    /**
     * A connection could not be opened, or did not work. Failures that began together count as one: a server that refuses
     * seven connects in the same millisecond has failed once, and is given a pause before the next attempt counts.
     */
    public void failed(long newsAtStart, String why) {
        if (newsAtStart == news || state == HealthState.PROBING) {
            news++;
            successes = 0;
            failures++;
        }
        if (conditions.now() >= retryAt || state == HealthState.PROBING) {
            rounds++;
            retryAt = conditions.now() + pause();
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

    /** The probe did not take place, through no fault of the server. */
    public void probeGivenUp() {
        rounds++;
        retryAt = conditions.now() + pause();
        become(HealthState.DOWN, reason);
    }

    /** The failure may be the login's alone: if it was the probe, another probe is needed. */
    public void probeSaysNothing() {
        if (state == HealthState.PROBING) {
            probeGivenUp();
        }
    }

    public void probing() {
        become(HealthState.PROBING, reason);
    }

    /** There is no pool to probe with: the next client finds out. */
    public void assumeUp() {
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
        since = conditions.now();
        successes = next == HealthState.UP ? 0 : successes;
        changed.accept(next);
    }

    /** Doubled for each failed round, and half of it random, so that instances do not retry in step. */
    private long pause() {
        long longest = conditions.tuning().maxBackoffNanos;
        int doublings = Math.min(rounds - 1, Long.numberOfLeadingZeros(conditions.tuning().backoffNanos) - 2);
        long full = Math.min(longest, conditions.tuning().backoffNanos << Math.max(0, doublings));
        return Math.max(1, full - conditions.random().nextLong(full / 2 + 1));
    }

    private HealthSettings settings() {
        return conditions.tuning().settings.health();
    }

    /** The regular check of idle connections is due: the next one follows after the interval. */
    public void checked() {
        checkAt = conditions.now() + conditions.tuning().checkIntervalNanos;
    }

    public void reconfigure() {
        checkAt = Math.min(checkAt, conditions.now() + conditions.tuning().checkIntervalNanos);
    }

    public void checkPassed(long tookNanos) {
        checksPassed++;
        latencyNanos = tookNanos;
        answered();
    }

    public void checkFailed() {
        checksFailed++;
    }

    public long nextDeadline() {
        return state == HealthState.DOWN && !conditions.isRemoved() ? retryAt : Long.MAX_VALUE;
    }

    public HealthState state() {
        return state;
    }

    public String reason() {
        return reason;
    }

    public long retryAt() {
        return retryAt;
    }

    public long checkAt() {
        return checkAt;
    }

    public BucketSnapshot.HealthSnapshot snapshot() {
        return new BucketSnapshot.HealthSnapshot(
                state, reason, since, failures, downs, checksPassed, checksFailed, latencyNanos);
    }
}
