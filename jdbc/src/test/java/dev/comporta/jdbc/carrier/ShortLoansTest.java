package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.pool.lease.LeaseSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ShortLoansTest {
    private static final int LOANS = 400_000;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Account account = new Account("app", CarrierTest.opener(new StubServer()));
    private final AtomicLong left = new AtomicLong(LOANS);
    private final AtomicLong served = new AtomicLong();

    /** Otherwise the first queue stays for good, and each loan costs a wake-up: none is of a parked connection. */
    @Test
    void aQueueOfManyThreadsWithShortLoansEmptiesAgain() throws Exception {
        Carrier carrier = new Carrier("short", CarrierTest.settings(4), Duration.ofSeconds(5), LeaseSource.LOCAL);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            clients.add(Thread.ofPlatform().start(() -> borrowUntilDone(carrier)));
        }
        for (Thread client : clients) {
            assertThat(client.join(PATIENCE)).isTrue();
        }
        assertThat(served.get()).isEqualTo(LOANS);
        assertThat(carrier.parkedLoans()).isGreaterThan(LOANS / 5);
        carrier.close(Duration.ofSeconds(30));
    }

    private void borrowUntilDone(Carrier carrier) {
        try {
            while (left.getAndDecrement() > 0) {
                Session session = carrier.acquire(account, TimeUnit.MINUTES.toNanos(3));
                served.incrementAndGet();
                carrier.giveBack(session);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
