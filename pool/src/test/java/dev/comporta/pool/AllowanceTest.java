package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.state.OpenFailure;
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

    private static final long MILLI = 1_000_000L;

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
        assertThat(bucket.nextDeadline())
                .as("the end of her patience")
                .isEqualTo(limit(5).build().queue().timeout().toNanos());
        assertThat(meter.asked).containsExactly(1);
    }

    @Test
    void permitsAreAskedForWhenTheyCanBeUsed() {
        Bucket slow = new Bucket(
                "x",
                limit(5).connectRate(new ConnectRateSettings(10, 2)).build(),
                orders,
                meter,
                new SplittableRandom(1),
                SessionDistance.EQUAL_OR_NOT,
                0);
        for (int i = 0; i < 4; i++) {
            slow.request(new Waiter("client"), slow.pool("p", "ana"), null, 0);
        }
        assertThat(meter.asked)
                .as("as many as the bucket's own rate lets through")
                .containsExactly(1, 1);
        slow.leaseEvents().connectsAllowed(2, MILLI);
        assertThat(orders.orders()).hasSize(2);
        assertThat(slow.nextDeadline()).isEqualTo(101 * MILLI);
        slow.tick(101 * MILLI);
        assertThat(meter.asked).containsExactly(1, 1, 1);
        assertThat(slow.nextDeadline()).as("for the one after it").isEqualTo(201 * MILLI);
    }

    @Test
    void permitThatComesDuringAPauseLapses() {
        want("ana");
        want("bob");
        bucket.leaseEvents().connectsAllowed(1, MILLI);
        bucket.connectionEvents().openFailed(orders.connection(1), OpenFailure.UNREACHABLE, "refused", 2 * MILLI);
        bucket.leaseEvents().connectsAllowed(1, 3 * MILLI);
        assertThat(orders.orders()).containsExactly("open 1 p");
        assertThat(meter.asked).containsExactly(1, 1);
        bucket.tick(bucket.nextDeadline());
        assertThat(meter.asked)
                .as("after the pause it is asked for anew")
                .startsWith(1, 1)
                .hasSizeGreaterThan(2);
        assertThat(orders.orders()).isEmpty();
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
