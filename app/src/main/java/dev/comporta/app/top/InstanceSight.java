package dev.comporta.app.top;

import dev.comporta.app.admin.Answer;
import dev.comporta.app.admin.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The state of an instance as far as known. */
sealed interface InstanceSight {
    /** The address as the user gave it. */
    String address();

    /** The first request to it has no answer yet. */
    record Asked(String address) implements InstanceSight {}

    /** @param why the reason, for the user */
    record Silent(String address, String why) implements InstanceSight {}

    /**
     * @param name its {@code instance_id}
     * @param shared whether it shares its limits with other instances
     * @param fleet the names of all instances that it knows, including its own
     */
    record Answered(String address, String name, boolean shared, Set<String> fleet, List<BucketFigures> buckets)
            implements InstanceSight {
        static final String QUERY = BucketFigures.QUERY + "; SELECT DISTINCT instance, is_this,"
                + " CASE WHEN last_seen IS NULL THEN 0 ELSE 1 END AS shared FROM sys.instances";

        public Answered {
            fleet = Set.copyOf(fleet);
            buckets = List.copyOf(buckets);
        }

        static Answered of(String address, Answer answer) {
            List<BucketFigures> buckets = answer.results().get(0).rows().stream()
                    .map(BucketFigures::of)
                    .toList();
            List<String> names = new ArrayList<>();
            Set<String> fleet = new TreeSet<>();
            boolean shared = false;
            for (ResultTable.Row row : answer.results().get(1).rows()) {
                fleet.add(row.text("instance"));
                shared |= row.bit("shared");
                if (row.bit("is_this")) {
                    names.add(row.text("instance"));
                }
            }
            // An instance without buckets has no row.
            return new Answered(address, names.isEmpty() ? address : names.getFirst(), shared, fleet, buckets);
        }
    }
}
