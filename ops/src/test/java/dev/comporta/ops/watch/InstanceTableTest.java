package dev.comporta.ops.watch;

import static dev.comporta.ops.watch.Sights.NOW;
import static dev.comporta.ops.watch.Sights.holder;
import static dev.comporta.ops.watch.Sights.inFleet;
import static dev.comporta.ops.watch.Sights.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseView;
import dev.comporta.lease.LeaseView.Standing;
import dev.comporta.ops.watch.InstanceTable.Holding;
import dev.comporta.ops.watch.InstanceTable.Row;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstanceTableTest {
    @Test
    void ownRowIsOfThisMomentAndOthersAreAsTheStoreReportedThem() {
        InstanceTable table = InstanceTable.of(inFleet(
                true,
                lease(
                        "a",
                        Standing.IN_TOUCH,
                        holder("me", 2, Duration.ofSeconds(30)),
                        holder("they", 5, Duration.ofSeconds(27))),
                lease("b", Standing.IN_TOUCH, holder("they", 1, Duration.ofSeconds(26)))));
        assertThat(table.rows())
                .containsExactly(
                        new Row(
                                "me",
                                true,
                                Optional.of(NOW.minusSeconds(1)),
                                false,
                                List.of(new Holding("a", 3, 1, 0), new Holding("b", 3, 1, 0))),
                        // Leases last 30 s. A second ago 27 s were left of one: its last heartbeat was 4 s ago.
                        new Row(
                                "they",
                                false,
                                Optional.of(NOW.minusSeconds(4)),
                                false,
                                List.of(new Holding("a", 5, 0, 0), new Holding("b", 1, 0, 0))));
        assertThat(table.rows().getFirst().held()).isEqualTo(6);
    }

    @Test
    void anotherIsDegradedWhenItIsOverdueByAHeartbeat() {
        assertThat(degraded("they", lease("a", Standing.IN_TOUCH, holder("they", 5, Duration.ofSeconds(10)))))
                .isFalse();
        assertThat(degraded("they", lease("a", Standing.IN_TOUCH, holder("they", 5, Duration.ofMillis(9_999)))))
                .isTrue();
        assertThat(degraded("me", lease("a", Standing.TROUBLED))).isTrue();
        assertThat(degraded("me", lease("a", Standing.IN_TOUCH))).isFalse();
    }

    @Test
    void anotherIsNotOverdueBecauseThisOneHasNotAskedForLong() {
        LeaseView asked9SecondsAgo = new LeaseView(
                "a",
                Standing.IN_TOUCH,
                3,
                1,
                9,
                0,
                Duration.ofSeconds(9),
                List.of(holder("they", 5, Duration.ofSeconds(18))));
        InstanceTable table = InstanceTable.of(inFleet(true, asked9SecondsAgo));
        assertThat(table.rows().getLast())
                .isEqualTo(new Row(
                        "they", false, Optional.of(NOW.minusSeconds(21)), false, List.of(new Holding("a", 5, 0, 0))));
    }

    private static boolean degraded(String who, LeaseView lease) {
        return InstanceTable.of(inFleet(true, lease)).rows().stream()
                .filter(row -> row.instance().equals(who))
                .findFirst()
                .orElseThrow()
                .degraded();
    }
}
