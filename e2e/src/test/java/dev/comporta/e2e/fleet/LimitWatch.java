package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the fleet to its limit, by the database's count. An instance that nobody touched may all the same have been kept
 * from running for longer than its lease lasts, by a machine that is busy or stood still. It then says that its slots are
 * over, and what it had open at that moment may exceed the limit, as with one that is frozen on purpose.
 */
final class LimitWatch {
    private final ServedBucket bucket;
    private final Map<ProxyProcess, Integer> overBefore = new LinkedHashMap<>();

    /** From now on. */
    LimitWatch(ServedBucket bucket, List<ProxyProcess> instances) throws IOException {
        this.bucket = bucket;
        for (ProxyProcess instance : instances) {
            overBefore.put(instance, instance.slotsOver(bucket.name));
        }
        bucket.forgetMostSessions();
    }

    /**
     * The limit was reached, and not exceeded by more than this.
     *
     * @param struck those to whom something was done, for which {@code excused} allows
     */
    void verify(int excused, Set<ProxyProcess> struck) throws IOException {
        int allowed = excused;
        for (Map.Entry<ProxyProcess, Integer> instance : overBefore.entrySet()) {
            if (!struck.contains(instance.getKey())) {
                allowed += instance.getKey().slotsOver(bucket.name) - instance.getValue();
            }
        }
        assertThat(bucket.mostSessions())
                .as("sessions at the same time, of which %d may be beyond the limit", allowed)
                .isBetween(bucket.limit, bucket.limit + allowed);
    }
}
