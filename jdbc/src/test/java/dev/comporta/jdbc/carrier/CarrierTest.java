package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.session.SessionDefaults;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.CloseReason;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CarrierTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final StubServer server = new StubServer();
    private final Account account = new Account("app", opener(server));
    private final List<Carrier> carriers = new ArrayList<>();

    static Opener opener(StubServer server) {
        return new Opener(
                "jdbc:stub:x",
                server,
                Dialect.GENERIC,
                new Properties(),
                Credentials.of("app", "secret"),
                SessionDefaults.DRIVERS,
                LossRule.NONE,
                null,
                Duration.ofSeconds(30));
    }

    static BucketSettings settings(int max) {
        return BucketSettings.DEFAULTS
                .but()
                .maxConnections(max)
                .minIdle(0)
                .connectRate(new ConnectRateSettings(100_000, 100_000))
                .build();
    }

    private Carrier carrier(BucketSettings settings) {
        Carrier made = new Carrier("orders", settings, Duration.ofSeconds(5), LeaseSource.LOCAL);
        carriers.add(made);
        return made;
    }

    @AfterEach
    void allConnectionsAreClosedInTheEnd() {
        server.gate.countDown();
        carriers.forEach(c -> c.close(Duration.ofSeconds(1)));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(server.open()).isZero());
    }

    @Test
    void aConnectionThatComesBackIsLentAgain() throws SQLException {
        Carrier carrier = carrier(settings(5));
        Session first = carrier.acquire(account, LONG);
        carrier.giveBack(first);
        Session second = carrier.acquire(account, LONG);
        assertThat(second).isSameAs(first);
        assertThat(server.connects()).isEqualTo(1);
        carrier.giveBack(second);
    }

    @Test
    void aThousandVirtualThreadsAreServedInOrderOfArrival() throws Exception {
        Carrier carrier = carrier(settings(1));
        Session held = carrier.acquire(account, LONG);
        ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int number = i;
            clients.add(Thread.startVirtualThread(() -> {
                Session mine = acquire(carrier);
                served.add(number);
                carrier.giveBack(mine);
            }));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofNanos(20_000))
                    .atMost(PATIENCE)
                    .until(() -> carrier.snapshot().waiting() == number + 1);
        }
        carrier.giveBack(held);
        for (Thread client : clients) {
            assertThat(client.join(PATIENCE)).isTrue();
        }
        assertThat(served)
                .containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
        assertThat(server.mostOpen()).isEqualTo(1);
    }

    private Session acquire(Carrier carrier) {
        try {
            return carrier.acquire(account, LONG);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWaitThatIsTooLongSaysHowThingsStandAndWhatToDo() throws SQLException {
        Carrier carrier = carrier(settings(1));
        Session held = carrier.acquire(account, LONG);
        assertThatThrownBy(() -> carrier.acquire(account, TimeUnit.MILLISECONDS.toNanos(20)))
                .isInstanceOf(SQLTransientConnectionException.class)
                .hasMessageContaining("pool orders: no connection within")
                .hasMessageContaining("1 of 1 connections in use, 0 waiting")
                .hasMessageContaining("maximumPoolSize");
        assertThat(carrier.timeouts()).isEqualTo(1);
        carrier.giveBack(held);
        carrier.giveBack(carrier.acquire(account, LONG));
    }

    @Test
    void whoLeavesTheQueueDoesNotTakeTheTurnOfThoseBehind() throws Exception {
        Carrier carrier = carrier(settings(1));
        Session held = carrier.acquire(account, LONG);
        AtomicReference<Throwable> first = new AtomicReference<>();
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread impatient = Thread.startVirtualThread(() -> {
            try {
                carrier.giveBack(carrier.acquire(account, LONG));
            } catch (SQLException e) {
                first.set(e);
                stillInterrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        await().atMost(PATIENCE).until(() -> carrier.snapshot().waiting() == 1);
        CompletableFuture<Session> second =
                CompletableFuture.supplyAsync(() -> acquire(carrier), Thread::startVirtualThread);
        await().atMost(PATIENCE).until(() -> carrier.snapshot().waiting() == 2);
        impatient.interrupt();
        assertThat(impatient.join(PATIENCE)).isTrue();
        assertThat(first.get()).hasCauseInstanceOf(InterruptedException.class).hasMessageContaining("interrupted");
        assertThat(stillInterrupted).isTrue();
        assertThat(carrier.snapshot().waiting()).isEqualTo(1);
        carrier.giveBack(held);
        carrier.giveBack(second.get(2, TimeUnit.MINUTES));
    }

    @Test
    void aLostConnectionIsClosedAndTheNextClientGetsANewOne() throws SQLException {
        Carrier carrier = carrier(settings(1));
        Session lost = carrier.acquire(account, LONG);
        lost.lose();
        carrier.giveBack(lost);
        Session other = carrier.acquire(account, LONG);
        assertThat(other).isNotSameAs(lost);
        assertThat(server.mostOpen()).isEqualTo(1);
        assertThat(carrier.snapshot().closed().get(CloseReason.LOST)).isEqualTo(1);
        carrier.giveBack(other);
    }

    @Test
    void aTransactionThatWasLeftOpenIsRolledBackOffTheCallersThread() throws SQLException {
        Carrier carrier = carrier(settings(1));
        Session session = carrier.acquire(account, LONG);
        session.connection().setAutoCommit(false);
        session.autoCommitSet(false);
        session.used();
        carrier.giveBack(session);
        Session again = carrier.acquire(account, LONG);
        assertThat(again).isSameAs(session);
        assertThat(StubServer.state(again.connection()).callerOf("rollback"))
                .isNotNull()
                .isNotSameAs(Thread.currentThread());
        carrier.giveBack(again);
    }

    @Test
    void aRejectedLoginIsToldToThoseWhoWaitWithTheServersReason() {
        Carrier carrier = carrier(settings(2));
        server.refusal = () -> new SQLException("wrong password", "28P01");
        assertThatThrownBy(() -> carrier.acquire(account, LONG))
                .isInstanceOf(SQLInvalidAuthorizationSpecException.class)
                .hasMessageContaining("rejects the login of app: wrong password")
                .hasMessageContaining("Correct username");
    }

    @Test
    void requestsWaitForAServerThatIsDownAndAreServedWhenItIsBack() throws Exception {
        Carrier carrier = carrier(settings(2));
        server.refusal = () -> new SQLException("connection refused", "08001");
        CompletableFuture<Session> waits =
                CompletableFuture.supplyAsync(() -> acquire(carrier), Thread::startVirtualThread);
        await().atMost(PATIENCE).until(() -> !carrier.isUp());
        assertThatThrownBy(() -> carrier.acquire(account, TimeUnit.MILLISECONDS.toNanos(1)))
                .hasMessageContaining("the server has been down for")
                .hasMessageContaining("connection refused")
                .hasRootCauseMessage("connection refused");
        server.refusal = () -> null;
        carrier.giveBack(waits.get(2, TimeUnit.MINUTES));
    }

    @Test
    void failFastRefusesAtOnceWhenAllConnectionsAreInUse() throws SQLException {
        Carrier fast = carrier(settings(1)
                .but()
                .exhaustion(new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, Duration.ofSeconds(30)))
                .build());
        Session held = fast.acquire(account, LONG);
        assertThatThrownBy(() -> fast.acquire(account, LONG)).hasMessageContaining("exhaustionPolicy is fail_fast");
        fast.giveBack(held);
    }

    @Test
    void aQueueThatIsFullRefusesTheNext() throws Exception {
        Carrier carrier = carrier(settings(1)
                .but()
                .queue(new QueueSettings(Duration.ofSeconds(30), 1))
                .build());
        Session held = carrier.acquire(account, LONG);
        CompletableFuture<Session> waits =
                CompletableFuture.supplyAsync(() -> acquire(carrier), Thread::startVirtualThread);
        await().atMost(PATIENCE).until(() -> carrier.snapshot().waiting() == 1);
        assertThatThrownBy(() -> carrier.acquire(account, LONG)).hasMessageContaining("maxQueueSize");
        carrier.giveBack(held);
        carrier.giveBack(waits.get(2, TimeUnit.MINUTES));
    }

    @Test
    void aConnectThatOutlivesItsTimeoutKeepsItsSlotUntilTheDriverGivesUp() throws Exception {
        server.gate = new CountDownLatch(1);
        Carrier carrier = new Carrier(
                "orders",
                settings(1).but().connectionTimeout(Duration.ofMillis(50)).build(),
                PATIENCE,
                LeaseSource.LOCAL);
        carriers.add(carrier);
        CompletableFuture<Session> waits =
                CompletableFuture.supplyAsync(() -> acquire(carrier), Thread::startVirtualThread);
        await().atMost(PATIENCE)
                .until(() -> carrier.snapshot().openFailures().values().stream().anyMatch(n -> n > 0));
        assertThat(server.open()).isEqualTo(1);
        server.gate.countDown();
        carrier.giveBack(waits.get(2, TimeUnit.MINUTES));
        assertThat(server.mostOpen()).isEqualTo(1);
    }

    @Test
    void closingRefusesWhoWaitsAndAbortsWhatIsNotReturned() throws Exception {
        Carrier carrier = carrier(settings(1));
        Session kept = carrier.acquire(account, LONG);
        CompletableFuture<Throwable> waits = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                carrier.acquire(account, LONG);
            } catch (SQLException e) {
                waits.complete(e);
            }
        });
        await().atMost(PATIENCE).until(() -> carrier.snapshot().waiting() == 1);
        carrier.close(Duration.ofMillis(50));
        assertThat(waits.get(2, TimeUnit.MINUTES)).isInstanceOf(SQLNonTransientConnectionException.class);
        await().atMost(PATIENCE).until(() -> server.open() == 0);
        carrier.giveBack(kept); // too late, and harmless
        assertThatThrownBy(() -> carrier.acquire(account, LONG)).hasMessageContaining("closed");
    }

    /** A thread may have found the account just before it was retired: that must not bring its pool back. */
    @Test
    void anAccountThatWasRetiredOpensNothing() throws Exception {
        Carrier carrier = carrier(settings(1));
        carrier.giveBack(carrier.acquire(account, LONG));
        carrier.retire(account);
        await().atMost(PATIENCE).until(() -> server.open() == 0);
        assertThatThrownBy(() -> carrier.acquire(account, LONG))
                .isInstanceOf(SQLNonTransientConnectionException.class)
                .hasMessageContaining("the login of app was changed");
        assertThat(carrier.warmUp(account, 1, PATIENCE).get(2, TimeUnit.MINUTES))
                .isZero();
        assertThat(server.connects()).isEqualTo(1);
    }

    @Test
    void warmUpOpensConnectionsBeforeAnybodyAsks() throws Exception {
        Carrier carrier = carrier(settings(5));
        assertThat(carrier.warmUp(account, 3, PATIENCE).get(2, TimeUnit.MINUTES))
                .isEqualTo(3);
        assertThat(server.open()).isEqualTo(3);
    }

    @Test
    void aSuspendedPoolLendsNothingUntilItIsResumed() throws Exception {
        Carrier carrier = carrier(settings(1));
        carrier.giveBack(carrier.acquire(account, LONG));
        carrier.pause();
        assertThatThrownBy(() -> carrier.acquire(account, TimeUnit.MILLISECONDS.toNanos(10)))
                .hasMessageContaining("suspended");
        CompletableFuture<Session> waits =
                CompletableFuture.supplyAsync(() -> acquire(carrier), Thread::startVirtualThread);
        await().atMost(PATIENCE).until(() -> carrier.snapshot().waiting() == 1);
        carrier.resume();
        carrier.giveBack(waits.get(2, TimeUnit.MINUTES));
    }
}
