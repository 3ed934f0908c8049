package dev.comporta.app.top;

import dev.comporta.app.top.BucketSum.Share;
import dev.comporta.app.top.InstanceSight.Answered;
import dev.comporta.app.top.InstanceSight.Silent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The instances given on the command line, and the sums of their buckets. */
final class FleetSight {
    private final List<InstanceSight> instances;
    private final List<BucketSum> buckets = new ArrayList<>();
    private final Set<String> fleet = new TreeSet<>();

    FleetSight(List<InstanceSight> instances) {
        this.instances = List.copyOf(instances);
        Map<String, List<Share>> shares = new TreeMap<>();
        for (Answered instance : answered()) {
            fleet.addAll(instance.fleet());
            instance.buckets()
                    .forEach(bucket -> shares.computeIfAbsent(bucket.bucket(), _ -> new ArrayList<>())
                            .add(new Share(instance.shared(), bucket)));
        }
        shares.values().forEach(bucket -> buckets.add(BucketSum.of(bucket)));
    }

    List<InstanceSight> instances() {
        return instances;
    }

    List<Answered> answered() {
        return instances.stream()
                .filter(Answered.class::isInstance)
                .map(Answered.class::cast)
                .toList();
    }

    List<Silent> silent() {
        return instances.stream()
                .filter(Silent.class::isInstance)
                .map(Silent.class::cast)
                .toList();
    }

    /** The number of instances in the fleet, including those not given on the command line; 0 while unknown. */
    int fleetSize() {
        return fleet.size();
    }

    /** In the order of their names. */
    List<BucketSum> buckets() {
        return List.copyOf(buckets);
    }
}
