package dev.comporta.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A carrier may answer from inside an order. */
class ReentrancyTest {
    private final List<String> told = new ArrayList<>();

    /** Does everything at once, and notes when each order begins and ends. */
    private class Instant implements Orders {
        @Override
        public void attach(Waiter w, ServerConnection c) {
            told.add("attach " + w.client());
            c.bucket().release(c, null, c.bucket().now());
            told.add("attached " + w.client());
        }

        @Override
        public void refuse(Waiter w, Refusal why) {
            told.add("refuse " + w.client());
        }

        @Override
        public void open(ServerConnection c) {
            told.add("open");
            c.bucket().connectionEvents().opened(c, null, c.bucket().now());
            told.add("opened");
        }

        @Override
        public void close(ServerConnection c, CloseReason why) {
            told.add("close");
            c.bucket().connectionEvents().closed(c, c.bucket().now());
            told.add("closed");
        }

        @Override
        public void reset(ServerConnection c) {
            c.bucket().connectionEvents().resetDone(c, true, c.bucket().now());
        }

        @Override
        public void validate(ServerConnection c, HealthSettings.Check how) {
            c.bucket().connectionEvents().validated(c, true, c.bucket().now());
        }
    }

    private static Bucket bucket(Orders orders) {
        BucketSettings settings =
                BucketSettings.DEFAULTS.but().maxConnections(1).minIdle(0).build();
        return new Bucket(
                "b", settings, orders, new LocalLeases(), new SplittableRandom(1), SessionDistance.EQUAL_OR_NOT, 0);
    }

    @Test
    void eventsFromInsideAnOrderCountAtOnceAndTheirOrdersComeAfterThoseUnderWay() {
        Bucket b = bucket(new Instant());
        b.request(new Waiter("ana"), b.pool("p", "ana"), null, 1);
        assertThat(told).containsExactly("open", "opened", "attach ana", "attached ana");
        b.request(new Waiter("bob"), b.pool("q", "bob"), null, 2);
        assertThat(told.subList(4, told.size()))
                .containsExactly("close", "closed", "open", "opened", "attach bob", "attached bob");
    }

    @Test
    void orderThatThrowsLeavesTheRestToTheNextEvent() {
        Instant throwing = new Instant() {
            private boolean thrown;

            @Override
            public void refuse(Waiter w, Refusal why) {
                super.refuse(w, why);
                if (!thrown) {
                    thrown = true;
                    throw new IllegalStateException("carrier's bug");
                }
            }

            @Override
            public void open(ServerConnection c) {
                told.add("open");
            }
        };
        Bucket b = bucket(throwing);
        b.request(new Waiter("ana"), b.pool("p", "ana"), null, 1);
        b.request(new Waiter("bob"), b.pool("p", "ana"), null, 1);
        assertThatThrownBy(() -> b.control().remove(2)).hasMessage("carrier's bug");
        b.tick(3);
        assertThat(told).containsExactly("open", "refuse ana", "refuse bob");
    }
}
