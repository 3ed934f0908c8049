package dev.comporta.app.top;

import static dev.comporta.app.top.Sights.bucket;
import static dev.comporta.app.top.Sights.fleet;
import static dev.comporta.app.top.Sights.instance;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.top.BucketFigures.State;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FleetSightTest {
    @Test
    void bucketsOfSeveralInstancesAreAddedUpAndTheWorstFiguresTaken() {
        BucketFigures slow = new BucketFigures("a", State.UP, "", 5, 4, 3, 2, 1, 10, 7.5, 99.0, 100.0, 2000.0, 1000.0);
        BucketSum sum = fleet(instance("one", true, bucket("a", State.UP, 6, 2)), instance("two", true, slow))
                .buckets()
                .getFirst();
        assertThat(List.of(sum.clients(), sum.active(), sum.idle(), sum.pinned(), sum.waiting()))
                .containsExactly(25, 10, 4, 2, 3);
        assertThat(sum.requestsPerSecond()).isEqualTo(10);
        assertThat(sum.waitP99()).isEqualTo(99);
        assertThat(sum.queryP99()).isEqualTo(840);
        assertThat(sum.longestPin()).isEqualTo(2000);
        assertThat(sum.longestTransaction()).isEqualTo(1000);
    }

    @Test
    void aLimitThatInstancesShareCountsOnceAndTheirOwnAreAddedUp() {
        BucketFigures figures = bucket("a", State.UP, 6, 2);
        assertThat(fleet(instance("one", true, figures), instance("two", true, figures))
                        .buckets()
                        .getFirst()
                        .limit())
                .isEqualTo(10);
        assertThat(fleet(instance("one", false, figures), instance("two", false, figures))
                        .buckets()
                        .getFirst()
                        .limit())
                .isEqualTo(20);
    }

    @Test
    void theWorstStateIsShownWithHowManyInstancesHaveIt() {
        BucketSum sum = fleet(
                        instance("one", true, bucket("a", State.UP, 1, 0)),
                        instance("two", true, bucket("a", State.DOWN, 0, 0)),
                        instance("three", true, bucket("a", State.PAUSED, 0, 0)))
                .buckets()
                .getFirst();
        assertThat(sum.shownState()).isEqualTo("down 1/3");
        assertThat(sum.reason()).isEqualTo("connection refused");
    }

    @Test
    void anInstanceThatDoesNotAnswerIsLeftOutAndNamed() {
        FleetSight fleet = fleet(
                instance("one", true, bucket("a", State.UP, 1, 0)),
                new InstanceSight.Silent("two:8080", "connection refused"),
                new InstanceSight.Asked("three:8080"));
        assertThat(fleet.answered()).hasSize(1);
        assertThat(fleet.silent()).extracting(InstanceSight.Silent::address).containsExactly("two:8080");
        assertThat(fleet.buckets().getFirst().active()).isEqualTo(1);
    }

    @Test
    void theFleetIsAsLargeAsItsInstancesKnow() {
        assertThat(fleet(new InstanceSight.Answered("one:8080", "one", true, Set.of("one", "two", "three"), List.of()))
                        .fleetSize())
                .isEqualTo(3);
    }
}
