package dev.comporta.pool.health;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Whether the bucket's server is up, and when it may be tried. Only a failed opening, scheduled check or probe counts as
 * a failure of the server: a stale connection says nothing about it. Any answer counts as a success, so a server that
 * refuses connects but serves open connections is not down.
 */
public final class Health {
    private final Conditions conditions;
    private final BooleanSupplier awaited;
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
    /** The same while requests wait for the server; never later than {@link #retryAt}. */
    private long hastyRetryAt;
    /** When the next check of idle connections is due. */
    private long checkAt;

    private long downs;
    private long checksPassed;
    private long checksFailed;
    private long since;
    /** When the first of the latest failures in a row was counted. */
    private long failingSince;
    /** The duration of the latest login or check; negative before the first. */
    private long latencyNanos = -1;

    /**
     * @param awaited whether requests wait for the server, whatever its health
     * @param changed receives each new state
     */
    public Health(Conditions conditions, BooleanSupplier awaited, Consumer<HealthState> changed) {
        this.conditions = conditions;
        this.awaited = awaited;
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
            case UP -> conditions.now() >= retryAt();
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
            retryFrom(0);
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
            retryFrom(0);
            rounds = 0;
        } else {
            // One more success is needed, and may be tried at once.
            become(HealthState.DOWN, reason);
            retryFrom(conditions.now());
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
            if (failures++ == 0 && isUp()) {
                failingSince = conditions.now();
            }
        }
        if (conditions.now() >= retryAt() || state == HealthState.PROBING) {
            nextRound();
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

    /** The probe could not be made, for a reason that is not the server's. */
    public void probeGivenUp() {
        nextRound();
        become(HealthState.DOWN, reason);
    }

    /**
     * A probe is due, and no login is known to make it with. While no request waits, the short pause does not grow: the
     * next client brings a login, and must not wait.
     */
    public void nothingToProbeWith() {
        long hasty = awaited.getAsBoolean() ? Long.MAX_VALUE : hastyRetryAt;
        nextRound();
        hastyRetryAt = Math.min(hastyRetryAt, hasty);
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

    /** There is no pool to probe with: the next client's request is the probe. */
    public void assumeUp() {
        failures = 0;
        rounds = 0;
        retryFrom(0);
        become(HealthState.UP, "");
    }

    private void retryFrom(long time) {
        retryAt = time;
        hastyRetryAt = time;
    }

    private void nextRound() {
        rounds++;
        Tuning tuning = conditions.tuning();
        retryAt = conditions.now() + pause(tuning.backoffNanos, tuning.maxBackoffNanos);
        long hasty = pause(tuning.hastyBackoffNanos, tuning.hastyMaxBackoffNanos);
        hastyRetryAt = Math.min(retryAt, conditions.now() + hasty);
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

    private long pause(long first, long longest) {
        return pause(rounds, first, longest, conditions.random());
    }

    /** Doubled for each failed round, and half of it random, so that instances do not retry in step. */
    static long pause(int rounds, long first, long longest, RandomGenerator random) {
        int doublings = Math.min(rounds - 1, Long.numberOfLeadingZeros(first) - 2);
        long full = Math.min(longest, first << Math.max(0, doublings));
        return Math.max(1, full - random.nextLong(full / 2 + 1));
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
        return state == HealthState.DOWN && !conditions.isRemoved() ? retryAt() : Long.MAX_VALUE;
    }

    public HealthState state() {
        return state;
    }

    public String reason() {
        return reason;
    }

    public long retryAt() {
        return hastyRetryAt < retryAt && awaited.getAsBoolean() ? hastyRetryAt : retryAt;
    }

    /** Whether the server did not answer the latest attempt, whether or not it counts as down. */
    public boolean isFailing() {
        return !isUp() || failures > 0;
    }

    /** When it began to fail; undefined while {@link #isFailing} is false. */
    public long failingSince() {
        return failingSince;
    }

    public long checkAt() {
        return checkAt;
    }

    public BucketSnapshot.HealthSnapshot snapshot() {
        return new BucketSnapshot.HealthSnapshot(
                state, reason, since, failures, downs, checksPassed, checksFailed, latencyNanos);
    }
}
