package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.ValidationSettings;
import dev.comporta.pool.state.CloseReason;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that hangs, or throws what no driver should: no slot is lost, and no thread waits for it. */
class CarrierTroubleTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Of a check or reset: longer than a test waits, so that what a test sees is not its end. */
    private static final Duration VERY_LONG = Duration.ofHours(1);

    private final StubServer server = new StubServer();
    private final Account account = new Account("app", CarrierTest.opener(server));
    private final CountDownLatch hangs = new CountDownLatch(1);

    private static BucketSettings settings() {
        HealthSettings usual = BucketSettings.DEFAULTS.health();
        return CarrierTest.settings(1)
                .but()
                .health(new HealthSettings(
                        usual.check(),
                        usual.interval(),
                        VERY_LONG,
                        usual.failureThreshold(),
                        usual.recoveryThreshold(),
                        usual.backoff(),
                        usual.maxBackoff()))
                .build();
    }

    private static Carrier carrier(BucketSettings settings, Duration closeTimeout) {
        return new Carrier("orders", settings, closeTimeout, LeaseSource.LOCAL);
    }

    @AfterEach
    void letGo() {
        server.trouble = _ -> null;
        hangs.countDown();
    }

    private static Throwable made(String kind) {
        return switch (kind) {
            case "bug" -> new IllegalStateException("a driver's bug");
            case "stack" -> new StackOverflowError();
            case "memory" -> new InternalError("of the virtual machine");
            default -> new AssertionError(kind);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"bug", "stack", "memory"})
    void aResetThatThrowsEndsTheConnectionAtOnce(String kind) throws SQLException {
        Carrier carrier = carrier(settings(), PATIENCE);
        Session session = carrier.acquire(account, LONG);
        session.autoCommitSet(false);
        session.connection().setAutoCommit(false);
        session.used();
        server.trouble = name -> name.equals("rollback") ? made(kind) : null;
        carrier.giveBack(session);
        Session other = carrier.acquire(account, LONG);
        assertThat(other).isNotSameAs(session);
        assertThat(carrier.snapshot().closed().get(CloseReason.RESET_FAILED)).isEqualTo(1);
        carrier.giveBack(other);
        carrier.close(PATIENCE);
        assertThat(server.mostOpen()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bug", "stack", "memory"})
    void aCheckThatThrowsEndsTheConnectionAtOnce(String kind) throws SQLException {
        BucketSettings settings = settings();
        Carrier carrier = carrier(
                settings.but()
                        .validation(new ValidationSettings(
                                true, false, settings.validation().afterIdle()))
                        .build(),
                PATIENCE);
        Session session = carrier.acquire(account, LONG);
        carrier.giveBack(session);
        server.trouble = name -> name.equals("isValid") ? made(kind) : null;
        Session other = carrier.acquire(account, LONG);
        assertThat(other).isNotSameAs(session);
        carrier.giveBack(other);
        carrier.close(PATIENCE);
        assertThat(server.mostOpen()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bug", "stack", "memory"})
    void aConnectionThatCanNotBeClosedIsAborted(String kind) throws SQLException {
        Carrier carrier = carrier(settings(), PATIENCE);
        Session session = carrier.acquire(account, LONG);
        server.trouble = name -> name.equals("close") ? made(kind) : null;
        session.lose();
        carrier.giveBack(session);
        Session other = carrier.acquire(account, LONG);
        assertThat(server.mostOpen()).isEqualTo(1);
        server.trouble = _ -> null;
        carrier.giveBack(other);
        carrier.close(PATIENCE);
        assertThat(server.open()).isZero();
    }

    @Test
    void aDriverThatHangsInCloseAndInAbortDoesNotKeepTheSlot() throws SQLException {
        Carrier carrier = carrier(settings(), Duration.ofMillis(20));
        Session session = carrier.acquire(account, LONG);
        server.trouble = name -> {
            if (name.equals("close") || name.equals("abort")) {
                hang();
            }
            return null;
        };
        session.lose();
        carrier.giveBack(session);
        Session other = carrier.acquire(account, LONG);
        assertThat(carrier.snapshot().closed().get(CloseReason.END_UNSEEN)).isEqualTo(1);
        server.trouble = _ -> null;
        hangs.countDown();
        carrier.giveBack(other);
        carrier.close(PATIENCE);
        await().atMost(PATIENCE).until(() -> server.open() == 0);
    }

    private void hang() {
        try {
            hangs.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
