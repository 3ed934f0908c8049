package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.lease.LeasePort;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    /** A fleet that gives slots at once and leave to connect when it is told to. */
    private static final class Meter implements LeasePort {
        final List<Integer> asked = new ArrayList<>();

        @Override
        public int ask(int slots, Patience patience) {
            return slots;
        }

        @Override
        public void withdraw(int slots) {}

        @Override
        public void giveBack(int slots) {}

        @Override
        public boolean metersConnects() {
            return true;
        }

        @Override
        public int askConnects(int connects) {
            asked.add(connects);
            return 0;
        }
    }

    private final Meter meter = new Meter();
    private final Carrier orders = new Carrier(limit(5));
    private final Bucket bucket =
            new Bucket("x", limit(5).build(), orders, meter, new SplittableRandom(1), SessionDistance.EQUAL_OR_NOT, 0);

    private void want(String client) {
        bucket.request(new Waiter(client), bucket.pool("p", client), null, 0);
    }

    @Test
    void nothingIsOpenedBeforeTheFleetAllowsIt() {
        want("ana");
        want("bob");
        assertThat(orders.orders()).isEmpty();
        assertThat(meter.asked).containsExactly(1, 1);
        bucket.leaseEvents().connectsAllowed(2, 1);
        assertThat(orders.orders()).containsExactly("open 1 p", "open 2 p");
    }

    @Test
    void waitingForTheFleetIsNoReasonToTick() {
        want("ana");
        bucket.tick(1);
        assertThat(bucket.nextDeadline()).isGreaterThan(1);
        assertThat(meter.asked).containsExactly(1);
    }

    @Test
    void leaveThatNobodyNeedsAnyMoreLapses() {
        Waiter ana = new Waiter("ana");
        bucket.request(ana, bucket.pool("p", "ana"), null, 0);
        bucket.cancel(ana, 1);
        bucket.leaseEvents().connectsAllowed(1, 2);
        want("bob");
        assertThat(meter.asked).containsExactly(1, 1);
        assertThat(orders.orders()).isEmpty();
    }
}
