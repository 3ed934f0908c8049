package dev.comporta.pool;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import org.jspecify.annotations.Nullable;

/** Resets and validations: what a connection goes through between two clients, and now and then when it is idle. */
final class Checks {
    /**
     * How long an unclean connection rests before it is reset. A client's next request mostly follows within milliseconds,
     * finds its last connection and needs no reset: one after each request would double the server's work. Beyond that,
     * others may wait for the locks that it holds: 0.1 s is what a person does not notice.
     */
    static final long REST_BEFORE_RESET_NANOS = 100_000_000L;

    private final Bucket bucket;
    private final Ledger ledger;
    /** The connection the clock had checked last: the next is looked at when its check is over. */
    private @Nullable ServerConnection watched;

    Checks(Bucket bucket) {
        this.bucket = bucket;
        this.ledger = bucket.ledger;
    }

    void reset(ServerConnection c) {
        c.stageSince = bucket.now();
        c.pool.counters.resets++;
        ledger.move(c, ConnectionState.RESETTING);
        bucket.ring.reset(c);
    }

    /** When the unclean connection that has rested longest is reset, if nobody wants it before. */
    long nextReset() {
        ServerConnection c = ledger.resting.first();
        return c == null ? Long.MAX_VALUE : c.idleSince + REST_BEFORE_RESET_NANOS;
    }

    /** Resets those that have rested long enough: all of them, each is one message to a server that is not busy with it. */
    void resetRested() {
        ServerConnection c = ledger.resting.first();
        while (c != null && hasRested(c)) {
            reset(c);
            c = ledger.resting.first();
        }
    }

    /** Whether a connection that nobody waits for has to be reset before it rests. */
    boolean mustReset(ServerConnection c) {
        return c.unclean && (c.lastWaiter == null || hasRested(c));
    }

    private boolean hasRested(ServerConnection c) {
        return c.idleSince + REST_BEFORE_RESET_NANOS <= bucket.now();
    }

    void resetDone(ServerConnection c, boolean clean) {
        if (clean) {
            c.unclean = false;
            c.heardAt = bucket.now();
            c.sessionState = c.loginState;
            bucket.health.answered();
            placeAfterUse(c);
        } else {
            failed(c);
        }
    }

    /** A connection that was used and is clean: validated if that is asked for, then free for its next use. */
    void placeAfterUse(ServerConnection c) {
        if (bucket.tuning.validateOnRelease) {
            validate(c, false);
        } else {
            bucket.dispatcher.place(c);
        }
    }

    /** @param background because of the clock, not because someone wants it or had it */
    void validate(ServerConnection c, boolean background) {
        c.stageSince = bucket.now();
        c.newsAtStart = bucket.health.news();
        c.backgroundCheck = background;
        c.check = bucket.tuning.settings.health().check();
        c.pool.counters.validations++;
        ledger.move(c, ConnectionState.VALIDATING);
        bucket.ring.validate(c, c.check);
        if (background) {
            watched = c;
        }
    }

    void validated(ServerConnection c, boolean works) {
        if (!works) {
            failed(c);
            return;
        }
        c.heardAt = bucket.now();
        if (c.check == HealthSettings.Check.FULL) {
            c.sessionState = c.loginState;
            c.unclean = false;
        }
        bucket.health.checksPassed++;
        bucket.health.latencyNanos = bucket.now() - c.stageSince;
        bucket.health.answered();
        bucket.dispatcher.place(c);
        if (c.backgroundCheck) {
            checkNext();
        }
    }

    private void failed(ServerConnection c) {
        if (c.state == ConnectionState.RESETTING) {
            c.pool.counters.resetFailures++;
            bucket.openings.close(c, CloseReason.RESET_FAILED);
            return;
        }
        c.pool.counters.validationFailures++;
        bucket.health.checksFailed++;
        bucket.openings.close(c, CloseReason.VALIDATION_FAILED);
        if (c.backgroundCheck) {
            bucket.health.failed(c, "a health check failed");
        }
    }

    void expire() {
        ServerConnection c = ledger.checking.first();
        while (c != null && c.stageSince + bucket.tuning.checkTimeoutNanos <= bucket.now()) {
            failed(c);
            c = ledger.checking.first();
        }
    }

    /** Looks at one idle connection after the other, never all at once: someone may want one. */
    void checkIdle() {
        if (bucket.tuning.checkIntervalNanos > 0 && bucket.now() >= bucket.health.checkAt) {
            bucket.health.checkAt = bucket.now() + bucket.tuning.checkIntervalNanos;
            checkNext();
        }
    }

    /** Resets and the checks that clients wait for are no reason to leave the idle ones unchecked. */
    private boolean isWatching() {
        ServerConnection c = watched;
        return c != null && c.state == ConnectionState.VALIDATING && c.backgroundCheck;
    }

    private void checkNext() {
        boolean mayCheck = bucket.tuning.checkIntervalNanos > 0 && bucket.health.isUp() && !bucket.isRemoved();
        if (mayCheck && !isWatching()) {
            ServerConnection due = bucket.health.dueForCheck();
            if (due != null) {
                validate(due, true);
            }
        }
    }
}
