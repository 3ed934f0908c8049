package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import dev.comporta.pool.Bucket;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the core's orders. Orders come under the carrier's lock; each call of the driver runs on a virtual thread,
 * which reports its result under the lock. A result that comes after the core has given up changes nothing.
 */
final class SessionOrders implements Orders {
    private static final Logger log = LoggerFactory.getLogger(SessionOrders.class);

    /** Attached to a connection until it is open. Guarded by the carrier's lock. */
    private static final class Opening {
        boolean abandoned;
    }

    private final Carrier carrier;
    private final Duration closeTimeout;
    private final CountDownLatch drained = new CountDownLatch(1);
    private final IdentityHashMap<Pool, CompletableFuture<Integer>> warmUps = new IdentityHashMap<>();
    private HealthState reportedHealth = HealthState.UP;

    SessionOrders(Carrier carrier, Duration closeTimeout) {
        this.carrier = carrier;
        this.closeTimeout = closeTimeout;
    }

    static Session sessionOf(ServerConnection c) {
        if (c.attachment() instanceof Session session) {
            return session;
        }
        throw new IllegalStateException(c + " has no session");
    }

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {
        carrier.loans().lent(sessionOf(connection));
        carrier.waiting().answer(Seat.of(waiter), connection);
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        carrier.waiting().answer(Seat.of(waiter), why);
    }

    @Override
    public void open(ServerConnection c) {
        Opening opening = new Opening();
        c.attach(opening);
        start("open", () -> open(c, opening));
    }

    private void open(ServerConnection c, Opening opening) {
        Account account = (Account) c.pool().key();
        try {
            Session session = account.opener().open();
            session.belongTo(c);
            carrier.run(() -> opened(c, opening, account, session));
        } catch (SQLException e) {
            log.debug("pool {}: connecting to {} failed", carrier.name(), account.opener(), e);
            carrier.run(() -> failed(c, opening, account, e));
        } catch (RuntimeException | Error e) {
            SQLException failure = new SQLException("the driver could not connect: " + e, "08001", e);
            carrier.run(() -> failed(c, opening, account, failure));
        }
    }

    private void opened(ServerConnection c, Opening opening, Account account, Session session) {
        c.attach(session);
        if (opening.abandoned) {
            close(c, session);
            return;
        }
        account.opened();
        carrier.runner().opened(c, null);
    }

    private void failed(ServerConnection c, Opening opening, Account account, SQLException e) {
        if (opening.abandoned) {
            carrier.runner().closed(c);
            return;
        }
        account.failed(e);
        OpenFailure failure = switch (account.opener().dialect().troubleOf(e)) {
            case UNREACHABLE -> OpenFailure.UNREACHABLE;
            case FULL -> OpenFailure.FULL;
            case REJECTED -> OpenFailure.LOGIN_REJECTED;
            case NOT_READY -> OpenFailure.NOT_READY;
            case NO_CREDENTIALS -> OpenFailure.NO_CREDENTIALS;
        };
        log.atDebug().setCause(e).log("pool {}: connecting to {} failed", carrier.name(), account.opener());
        carrier.runner().openFailed(c, failure, String.valueOf(e.getMessage()));
    }

    @Override
    public void close(ServerConnection c, CloseReason why) {
        if (c.attachment() instanceof Opening opening) {
            // A connect can't be cancelled. The slot stays taken until the driver gives up, or closeTimeout expires.
            opening.abandoned = true;
            var _ = carrier.timer()
                    .schedule(() -> carrier.runner().closedUnseen(c), closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
            return;
        }
        close(c, sessionOf(c));
    }

    private void close(ServerConnection c, Session session) {
        start("close", () -> {
            Thread closing = start("close-driver", () -> closeQuietly(session));
            if (hasEnded(closing)) {
                carrier.run(() -> carrier.runner().closed(c));
            } else {
                hasEnded(start("abort", session::abort)); // it may hang, as the close does
                carrier.run(() -> carrier.runner().closedUnseen(c));
            }
        });
    }

    private boolean hasEnded(Thread closing) {
        try {
            return closing.join(closeTimeout);
        } catch (InterruptedException _) {
            return false;
        }
    }

    private void closeQuietly(Session session) {
        try {
            session.close();
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("pool {}: closing a connection failed", carrier.name(), e);
            session.abort();
        }
    }

    /** Ends a loan without waiting for its client: its connection is aborted. */
    void abort(ServerConnection c) {
        if (c.attachment() instanceof Session session && c.state().isInUse()) {
            start("abort", session::abort);
            carrier.runner().broken(c);
            carrier.loans().ended();
        }
    }

    @Override
    public void reset(ServerConnection c) {
        Session session = sessionOf(c);
        boolean full = carrier.runner().settings().resetOnRelease();
        start("reset", () -> {
            boolean clean = reset(session, full);
            carrier.run(() -> carrier.runner().resetDone(c, clean));
        });
    }

    private boolean reset(Session session, boolean full) {
        try {
            session.reset(full);
            return true;
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("pool {}: a connection could not be reset and is closed", carrier.name(), e);
            return false;
        }
    }

    @Override
    public void validate(ServerConnection c, HealthSettings.Check how) {
        Session session = sessionOf(c);
        Duration timeout = carrier.runner().settings().health().timeout();
        start("check", () -> {
            boolean works = works(session, how, timeout);
            carrier.run(() -> carrier.runner().validated(c, works));
        });
    }

    private boolean works(Session session, HealthSettings.Check how, Duration timeout) {
        try {
            return session.check(how, timeout);
        } catch (RuntimeException | Error e) {
            log.debug("pool {}: a check failed", carrier.name(), e);
            return false;
        }
    }

    private Thread start(String what, Runnable work) {
        return Thread.ofVirtual()
                .name("comporta-" + what + "-" + carrier.name())
                .start(work);
    }

    /** Completes the future when the pool's warm-up has ended; an earlier future completes with the connections there are. */
    void onWarmedUp(Pool pool, CompletableFuture<Integer> ready) {
        CompletableFuture<Integer> before = warmUps.put(pool, ready);
        if (before != null) {
            before.complete(pool.ready() + pool.inUse());
        }
    }

    @Override
    public void warmedUp(Pool pool, int ready, int wanted) {
        CompletableFuture<Integer> awaited = warmUps.remove(pool);
        if (awaited != null) {
            awaited.complete(ready);
        }
    }

    @Override
    public void healthChanged(Bucket bucket, HealthState health) {
        String id = bucket.id();
        String reason = bucket.healthReason();
        if (health == HealthState.DOWN && reportedHealth == HealthState.UP) {
            reportedHealth = HealthState.DOWN;
            start("log", () -> log.warn("pool {}: server down ({})", id, reason)); // an appender may block
        } else if (health == HealthState.UP && reportedHealth == HealthState.DOWN) {
            reportedHealth = HealthState.UP;
            start("log", () -> log.info("pool {}: server up again", id));
        }
    }

    @Override
    public void drained(Bucket bucket) {
        drained.countDown();
    }

    boolean awaitDrained(Duration patience) {
        try {
            return drained.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
