package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.session.Property;
import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.jdbc.stub.StubServer.StubConnection;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.ValidationSettings;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads, faults at every point; the books must agree in the end, and the server must never see too many. */
class CarrierStressTest {
    private static final int LIMIT = 7;
    /** A million, with the three numbers of threads. */
    private static final int LOANS = 334_000;

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final StubServer server = new StubServer();
    private final List<Account> accounts =
            List.of(new Account("app", CarrierTest.opener(server)), new Account("batch", CarrierTest.opener(server)));
    private final AtomicLong left = new AtomicLong(LOANS);
    private final AtomicLong served = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    /** Fewer threads than connections, which are mostly parked; about as many, so that threads wait now and then; many more. */
    @ParameterizedTest
    @ValueSource(ints = {5, 8, 60})
    void nothingLeaksAndTheLimitHoldsWhateverFails(int threads) throws Exception {
        Carrier carrier = new Carrier("stress", shortLived(), Duration.ofSeconds(5), LeaseSource.LOCAL);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            boolean isVirtual = i % 4 != 0;
            Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
            clients.add(builder.start(() -> borrowUntilDone(carrier)));
        }
        Thread faults = Thread.ofPlatform().start(() -> disturb(carrier, clients));
        for (Thread client : clients) {
            assertThat(client.join(PATIENCE)).isTrue();
        }
        faults.join();
        assertThat(wrong.get()).isNull();
        await().atMost(PATIENCE).untilAsserted(() -> {
            BucketSnapshot now = carrier.snapshot();
            assertThat(now.active()).isZero();
            assertThat(now.waiting()).isZero();
            assertThat(now.traffic().attached()).isEqualTo(now.traffic().released());
            assertThat(now.count(ConnectionState.RESETTING)).isZero();
        });
        assertThat(carrier.snapshot().traffic().attached() + carrier.parkedLoans())
                .isEqualTo(served.get());
        if (threads < LIMIT) {
            assertThat(carrier.parkedLoans()).isGreaterThan(LOANS / 10);
        }
        assertThat(served.get() + refused.get()).isEqualTo(LOANS);
        assertThat(served.get()).isGreaterThan(LOANS / 2);
        carrier.close(Duration.ofSeconds(30));
        assertThat(server.open()).isZero();
        assertThat(server.mostOpen()).isBetween(2, LIMIT);
    }

    private static BucketSettings shortLived() {
        return CarrierTest.settings(LIMIT)
                .but()
                .minIdle(2)
                .validation(new ValidationSettings(false, false, Duration.ofMillis(5)))
                .reservoir(new ReservoirSettings(
                        0,
                        0,
                        1,
                        5,
                        Duration.ofMillis(300),
                        Duration.ofMillis(100),
                        Duration.ofMillis(50),
                        Duration.ofMillis(20)))
                .health(new HealthSettings(
                        HealthSettings.Check.PING,
                        Duration.ofMillis(20),
                        Duration.ofSeconds(5),
                        3,
                        2,
                        Duration.ofMillis(1),
                        Duration.ofMillis(5)))
                .build();
    }

    private void borrowUntilDone(Carrier carrier) {
        RandomGenerator random = RandomGenerator.getDefault();
        try {
            while (left.getAndDecrement() > 0) {
                borrow(carrier, random);
            }
        } catch (Throwable e) {
            wrong.compareAndSet(null, e);
        }
    }

    private void borrow(Carrier carrier, RandomGenerator random) throws SQLException {
        long timeout = random.nextInt(20) == 0 ? random.nextLong(200_000) : TimeUnit.MINUTES.toNanos(3);
        Session session;
        try {
            session = carrier.acquire(accounts.get(random.nextInt(accounts.size())), timeout);
        } catch (SQLException e) {
            refused.incrementAndGet();
            boolean interrupted = Thread.interrupted();
            assertThat(e.getMessage())
                    .containsAnyOf("no connection within", interrupted ? "interrupted" : "no connection");
            return;
        }
        served.incrementAndGet();
        StubConnection state = StubServer.state(session.connection());
        assertThat(state.holders.incrementAndGet()).isEqualTo(1);
        if (random.nextInt(10) == 0) {
            Thread.yield();
        }
        switch (random.nextInt(200)) {
            case 0 -> session.lose();
            case 1, 2, 3 -> {
                session.changing(Property.AUTO_COMMIT);
                session.connection().setAutoCommit(false);
                session.autoCommitSet(false);
                session.used();
            }
            default -> {}
        }
        state.holders.decrementAndGet();
        carrier.giveBack(session);
    }

    /** Refused connects, failed checks and resets, interrupts, reconnects and pauses, in random order. */
    private void disturb(Carrier carrier, List<Thread> clients) {
        RandomGenerator random = RandomGenerator.getDefault();
        server.sick = () -> RandomGenerator.getDefault().nextInt(50) == 0;
        while (left.get() > 0) {
            switch (random.nextInt(6)) {
                case 0 -> server.refusal = () -> new SQLException("refused", "08001");
                case 1 -> clients.get(random.nextInt(clients.size())).interrupt();
                case 2 -> carrier.reconnect();
                case 3 -> {
                    carrier.pause();
                    carrier.resume();
                }
                default -> server.refusal = () -> null;
            }
            LockSupport.parkNanos(2_000_000);
        }
        server.refusal = () -> null;
        server.sick = () -> false;
    }
}
