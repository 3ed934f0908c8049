package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.explore.Interleavings;
import dev.comporta.jdbc.explore.Interleavings.Scenario;
import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.stats.BucketSnapshot;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Clients of one real carrier, for {@link HandOffTest}. The timer's tasks run when an actor runs them. */
final class HandOffScenarios {
    private static final long LONG = TimeUnit.MINUTES.toNanos(2);
    /** Each spot is a step of each search. Two, so that actors have the same spot and different ones. */
    private static final int SPOTS = 2;

    private HandOffScenarios() {}

    /** A carrier with connections that are open. */
    abstract static class OneCarrier implements Scenario {
        final List<Runnable> tasks = new ArrayList<>();
        final Account account = new Account("app", CarrierTest.opener(new StubServer()));
        final Carrier carrier;
        private final int connections;
        private int holders;

        OneCarrier(int connections) {
            this.connections = connections;
            carrier = new Carrier(
                    "explored",
                    CarrierTest.settings(connections),
                    Duration.ofSeconds(5),
                    LeaseSource.LOCAL,
                    _ -> timer(),
                    new Parking(SPOTS));
            List<Session> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                all.add(acquire(LONG));
            }
            all.forEach(carrier::giveBack);
            carrier.isUp(); // whoever opened them has left the lock
        }

        private ScheduledExecutorService timer() {
            return (ScheduledExecutorService) Proxy.newProxyInstance(
                    ScheduledExecutorService.class.getClassLoader(),
                    new Class<?>[] {ScheduledExecutorService.class},
                    (_, method, arguments) -> {
                        if (method.getName().equals("schedule")) {
                            tasks.add((Runnable) arguments[0]);
                        }
                        return null;
                    });
        }

        final Session acquire(long timeout) {
            try {
                return carrier.acquire(account, timeout);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // in a run it is the turn of another actor
        final void use(Session session) {
            assertThat(++holders).isLessThanOrEqualTo(connections);
            Thread.yield();
            holders--;
            carrier.giveBack(session);
        }

        final void borrow() {
            use(acquire(LONG));
        }

        /** Loans have been shorter than a wake-up. */
        final void loansAreShort() {
            for (int i = 0; i < 16; i++) {
                Session session = acquire(LONG);
                carrier.run(() -> carrier.loans().returned(session, 0));
            }
            carrier.giveBack(acquire(LONG));
        }

        /** Nothing is lost, and nobody is forgotten. */
        @Override
        public void verify() throws Exception {
            BucketSnapshot now = carrier.snapshot();
            assertThat(now.active()).isZero();
            assertThat(now.waiting()).isZero();
            assertThat(carrier.poolOf(account).ready()).isEqualTo(connections);
        }
    }

    static final class AReturnMeetsARequest extends OneCarrier {
        private final Session held;

        AReturnMeetsARequest() {
            super(1);
            held = acquire(LONG);
        }

        @Override
        public List<Runnable> actors() {
            return List.of(() -> use(held), this::borrow);
        }
    }

    static final class TwoRequestsMeetAtAParkedConnection extends OneCarrier {
        TwoRequestsMeetAtAParkedConnection() {
            super(1);
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::borrow, this::borrow);
        }
    }

    static final class ThreeClientsShareTwoConnections extends OneCarrier {
        ThreeClientsShareTwoConnections() {
            super(2);
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::borrow, this::borrow, this::borrow);
        }
    }

    static final class ClientsLookAgain extends OneCarrier {
        ClientsLookAgain() {
            super(1);
            loansAreShort();
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::borrow, this::borrow, this::borrow);
        }
    }

    static final class ThePeriodEndsWithAReturn extends OneCarrier {
        private final Session held;

        ThePeriodEndsWithAReturn() {
            super(1);
            held = acquire(LONG);
        }

        @Override
        public List<Runnable> actors() {
            List<Runnable> due = List.copyOf(tasks);
            return List.of(() -> use(held), () -> due.forEach(carrier::run));
        }

        /** Without a snapshot, which would fetch what was left parked. */
        @Override
        public void verify() throws Exception {
            assertThat(carrier.poolOf(account).ready()).isEqualTo(1);
            super.verify();
        }
    }

    static final class AnInterruptMeetsAReturn extends OneCarrier {
        private final Session held;

        AnInterruptMeetsAReturn() {
            super(1);
            held = acquire(LONG);
        }

        @Override
        public List<Runnable> actors() {
            return List.of(() -> use(held), this::borrowOrGiveUp, () -> Interleavings.interrupt(1));
        }

        private void borrowOrGiveUp() {
            Session mine;
            try {
                mine = carrier.acquire(account, LONG);
            } catch (SQLException e) {
                assertThat(e.getMessage()).contains("interrupted");
                return;
            }
            use(mine);
        }
    }

    static final class ATimeoutMeetsAReturn extends OneCarrier {
        private final Session held;

        ATimeoutMeetsAReturn() {
            super(1);
            held = acquire(LONG);
        }

        @Override
        public List<Runnable> actors() {
            return List.of(() -> use(held), this::borrowOrGiveUp);
        }

        private void borrowOrGiveUp() {
            Session mine;
            try {
                mine = carrier.acquire(account, TimeUnit.MILLISECONDS.toNanos(100));
            } catch (SQLException e) {
                assertThat(e.getMessage()).contains("no connection within");
                return;
            }
            use(mine);
        }
    }
}
