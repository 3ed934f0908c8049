package dev.comporta.pool;

import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.health.Health;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import org.jspecify.annotations.Nullable;

/** Resets and validates connections: between two clients, after a short rest, and by schedule while they are idle. */
final class Checks {
    /**
     * How long an unclean connection rests before it is reset. A client's next request mostly follows within milliseconds,
     * finds its last connection and needs no reset: one after each request would double the server's work. After a longer
     * rest, other sessions would wait for the locks that it holds: 0.1 s is too short for a person to notice.
     */
    static final long REST_BEFORE_RESET_NANOS = 100_000_000L;

    private final Conditions conditions;
    private final Ledger ledger;
    private final Health health;
    private final Openings openings;
    private final OrderRing ring;
    /** The connection of the latest scheduled check: the next connection is checked when this check has ended. */
    private @Nullable ServerConnection watched;

    Checks(Conditions conditions, Ledger ledger, Health health, Openings openings, OrderRing ring) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.health = health;
        this.openings = openings;
        this.ring = ring;
    }

    void reset(ServerConnection c) {
        c.stageSince = conditions.now();
        c.pool.counters.resets++;
        ledger.move(c, ConnectionState.RESETTING);
        ring.reset(c);
    }

    /** When the unclean connection that has rested longest is reset, if no client gets it before. */
    private long nextReset() {
        ServerConnection c = ledger.resting.first();
        return c == null ? Long.MAX_VALUE : c.idleSince + REST_BEFORE_RESET_NANOS;
    }

    /** Resets every connection that has rested long enough. All at once: each reset is one message on an idle connection. */
    void resetRested() {
        for (ServerConnection c = ledger.resting.first(); c != null && hasRested(c); c = ledger.resting.first()) {
            reset(c);
        }
    }

    /** Whether a connection that no client waits for must be reset now instead of after a rest. */
    boolean mustReset(ServerConnection c) {
        return c.session.unclean && (c.lastWaiter == null || hasRested(c));
    }

    private boolean hasRested(ServerConnection c) {
        return c.idleSince + REST_BEFORE_RESET_NANOS <= conditions.now();
    }

    /** @return whether it may be used again */
    boolean resetDone(ServerConnection c, boolean clean) {
        if (!clean) {
            failed(c);
            return false;
        }
        c.session.reset();
        c.heardAt = conditions.now();
        health.answered();
        return true;
    }

    /** No reset would clean the session. This does not count as a failed reset. */
    void notResettable(ServerConnection c) {
        openings.close(c, CloseReason.NOT_RESETTABLE);
    }

    void validate(ServerConnection c, Trial.Occasion occasion) {
        c.stageSince = conditions.now();
        c.trial.newsAtStart = health.news();
        c.trial.occasion = occasion;
        c.trial.check = conditions.tuning().settings.health().check();
        c.pool.counters.validations++;
        ledger.move(c, ConnectionState.VALIDATING);
        ring.validate(c, c.trial.check);
        if (c.trial.isForPool()) {
            watched = c;
        }
    }

    /** @return whether it may be used again */
    boolean validated(ServerConnection c, boolean works) {
        if (!works) {
            failed(c);
            return false;
        }
        c.heardAt = conditions.now();
        if (c.trial.check == HealthSettings.Check.FULL) {
            c.session.reset();
        }
        health.checkPassed(conditions.now() - c.stageSince);
        return true;
    }

    private void failed(ServerConnection c) {
        if (c.state == ConnectionState.RESETTING) {
            c.pool.counters.resetFailures++;
            openings.close(c, CloseReason.RESET_FAILED);
            return;
        }
        c.pool.counters.validationFailures++;
        health.checkFailed();
        openings.close(c, CloseReason.VALIDATION_FAILED);
        if (c.trial.isForPool()) {
            health.failed(c.trial.newsAtStart, "a health check failed");
        }
    }

    void expire() {
        ServerConnection c = ledger.checking.first();
        while (c != null && c.stageSince + conditions.tuning().checkTimeoutNanos <= conditions.now()) {
            failed(c);
            c = ledger.checking.first();
        }
    }

    /** Checks idle connections one at a time, so that the others stay available to clients. */
    void checkIdle() {
        if (conditions.tuning().checkIntervalNanos > 0 && conditions.now() >= health.checkAt()) {
            health.checked();
            checkNext();
        }
    }

    /** Only a scheduled check counts: resets and checks that clients wait for do not hold up the schedule. */
    private boolean isWatching() {
        ServerConnection c = watched;
        return c != null && c.state == ConnectionState.VALIDATING && c.trial.isForPool();
    }

    /** After a scheduled check that passed: checks the next idle connection. */
    void goOn(ServerConnection checked) {
        if (checked.trial.isForPool()) {
            checkNext();
        }
    }

    private void checkNext() {
        boolean mayCheck = conditions.tuning().checkIntervalNanos > 0 && health.isUp() && !conditions.isRemoved();
        if (mayCheck && !isWatching()) {
            ServerConnection due = dueForCheck();
            if (due != null) {
                validate(due, Trial.Occasion.POOL);
            }
        }
    }

    /** Among the idle connections on which the server has not answered for the check interval, the one with the oldest answer. */
    private @Nullable ServerConnection dueForCheck() {
        ServerConnection due = null;
        long oldest = conditions.now() - conditions.tuning().checkIntervalNanos;
        for (ServerConnection c = ledger.idle.first(); c != null; c = c.inStage.after()) {
            if (c.heardAt <= oldest) {
                oldest = c.heardAt - 1;
                due = c;
            }
        }
        return due;
    }

    long nextDeadline() {
        ServerConnection c = ledger.checking.first();
        long next = c == null ? Long.MAX_VALUE : c.stageSince + conditions.tuning().checkTimeoutNanos;
        next = Math.min(next, nextReset());
        boolean regular = health.isUp() && conditions.tuning().checkIntervalNanos > 0 && ledger.idle.size() > 0;
        return regular && !conditions.isRemoved() ? Math.min(next, health.checkAt()) : next;
    }
}
