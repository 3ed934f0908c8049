package dev.comporta.pool;

import dev.comporta.pool.health.Health;
import dev.comporta.pool.health.Room;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.Tallies;
import org.jspecify.annotations.Nullable;

/** Records the outcome of each attempt to open a connection, and what it shows about the server and the login. */
record Attempts(
        Conditions conditions,
        Ledger ledger,
        Health health,
        Room room,
        PoolTable pools,
        Openings openings,
        Dispatcher dispatcher,
        Tallies tallies) {
    void opened(ServerConnection c, @Nullable Object state) {
        if (c.state == ConnectionState.CONNECTING) {
            ledger.move(c, ConnectionState.LOGGING_IN);
        }
        long now = conditions.now();
        tallies.connect.record(now - c.stageSince);
        c.pool.counters.opened++;
        if (c.trial.isForPool()) {
            tallies.refills++;
        }
        c.session.loggedIn(state);
        c.life.createdAt = now;
        c.idleSince = now;
        c.heardAt = now;
        c.pool.loginFailures = 0;
        c.pool.proven = true;
        health.opened(now - c.stageSince);
        room.opened(c.stageSince, c.trial.inPlace);
    }

    /** @param stillOpen whether the server may still count the connection: then it is closed before its slot is used again */
    void failed(ServerConnection c, OpenFailure failure, String why, boolean stillOpen) {
        tallies.openFailures.add(failure, 1);
        if (c.trial.isForPool()) {
            tallies.refillFailures++;
        }
        switch (failure) {
            case UNREACHABLE -> {
                end(c, CloseReason.CONNECT_FAILED, stillOpen);
                health.failed(c.trial.newsAtStart, why);
            }
            case LOGIN_REJECTED -> {
                end(c, CloseReason.LOGIN_REJECTED, stillOpen);
                health.reached();
                pause(c.pool, Refusal.LOGIN_REJECTED);
            }
            case NOT_READY -> {
                end(c, CloseReason.LOGIN_REJECTED, stillOpen);
                health.reached();
                boolean waits = c.pool.proven && conditions.tuning().waitsWhenDown;
                pause(c.pool, waits ? null : Refusal.LOGIN_REJECTED);
            }
            case LOGIN_FAILED -> {
                end(c, CloseReason.CONNECT_FAILED, stillOpen);
                loginFailed(c, why);
            }
            case FULL -> {
                end(c, CloseReason.CONNECT_FAILED, stillOpen);
                health.reached();
                if (health.isUp()) { // otherwise the next probe follows at once, and gets the same answer
                    room.full(why);
                }
            }
            case NO_CREDENTIALS -> {
                end(c, CloseReason.CONNECT_FAILED, stillOpen);
                health.probeSaysNothing();
                pause(c.pool, null);
            }
        }
    }

    private void end(ServerConnection c, CloseReason why, boolean stillOpen) {
        if (stillOpen) {
            openings.close(c, why);
        } else {
            c.closeReason = why;
            openings.gone(c);
        }
    }

    /**
     * If the server has accepted this login before and does not answer it now, the server has failed. Any other login may
     * be something that the server can't handle: it counts neither as failure nor as success of the server.
     */
    private void loginFailed(ServerConnection c, String why) {
        if (c.pool.proven) {
            health.failed(c.trial.newsAtStart, why);
        } else {
            health.probeSaysNothing();
            pause(c.pool, Refusal.LOGIN_FAILED);
        }
    }

    /**
     * Pauses a login: another attempt at once would fail in the same way, and may lock the account.
     *
     * @param trouble the refusal for the pool's waiters; null to keep them waiting and try the login again soon
     */
    private void pause(Pool pool, @Nullable Refusal trouble) {
        pool.loginFailures++;
        pool.loginTrouble = trouble;
        int doublings = Math.min(pool.loginFailures - 1, 16);
        Tuning tuning = conditions.tuning();
        long first = trouble == null ? tuning.hastyBackoffNanos : tuning.backoffNanos;
        long longest = trouble == null ? tuning.hastyMaxBackoffNanos : tuning.maxBackoffNanos;
        pool.loginRetryAt = conditions.now() + Math.min(longest, first << doublings);
        pools.reject(pool);
        openings.dropAllOf(pool);
        ledger.refresh(pool);
        if (trouble != null && pool.live == 0 && pool.coming == 0 && !conditions.isPaused()) {
            dispatcher.refuseAll(pool, trouble);
        }
    }

    /** Ends the attempts that have exceeded {@code connection_timeout}. */
    void expire() {
        ServerConnection c = ledger.opening.first();
        while (c != null && c.stageSince + conditions.tuning().connectTimeoutNanos <= conditions.now()) {
            boolean greeted = c.state == ConnectionState.LOGGING_IN;
            tallies.openFailures.add(greeted ? OpenFailure.LOGIN_FAILED : OpenFailure.UNREACHABLE, 1);
            if (c.trial.isForPool()) {
                tallies.refillFailures++;
            }
            openings.close(c, CloseReason.CONNECT_TIMEOUT);
            if (greeted) {
                loginFailed(c, "no answer to the login within connection_timeout");
            } else {
                health.failed(c.trial.newsAtStart, "no connection within connection_timeout");
            }
            c = ledger.opening.first();
        }
    }
}
