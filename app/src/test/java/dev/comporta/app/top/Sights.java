package dev.comporta.app.top;

import dev.comporta.app.top.BucketFigures.State;
import dev.comporta.app.top.InstanceSight.Answered;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Buckets and fleets to look at. */
final class Sights {
    private Sights() {}

    /** With this many in use and waiting, of a limit of ten. */
    static BucketFigures bucket(String name, State state, int active, int waiting) {
        return new BucketFigures(
                name,
                state,
                state == State.DOWN ? "connection refused" : "",
                20,
                active,
                1,
                0,
                waiting,
                10,
                2.5,
                12.5,
                840.0,
                null,
                null);
    }

    static Answered instance(String name, boolean shared, BucketFigures... buckets) {
        return new Answered(name + ":8080", name, shared, Set.of(name), List.of(buckets));
    }

    static FleetSight fleet(InstanceSight... instances) {
        return new FleetSight(Arrays.asList(instances));
    }

    static FleetSight buckets(String... names) {
        return fleet(instance(
                "one",
                false,
                Arrays.stream(names).map(name -> bucket(name, State.UP, 0, 0)).toArray(BucketFigures[]::new)));
    }
}
