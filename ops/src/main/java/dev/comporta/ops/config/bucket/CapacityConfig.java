package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * How many server connections a bucket has.
 *
 * @param maxConnections over all instances
 * @param maxConnectionsPerLogin 0 means that only the bucket's limit holds
 * @param minIdle kept open by each instance, however quiet it is
 * @param leaseRetry how long to wait before asking again for a slot that was denied
 */
public record CapacityConfig(
        int maxConnections,
        int maxConnectionsPerLogin,
        int minIdle,
        Duration maxIdleTime,
        Duration connectionTimeout,
        Duration leaseRetry) {
    private static final Key<Integer> MAX_CONNECTIONS = Key.required("max_connections", ValueTypes.integer(1, 32_767));
    private static final Key<Integer> MAX_CONNECTIONS_PER_LOGIN =
            Key.of("max_connections_per_login", ValueTypes.integer(0, 32_767), "0");
    private static final Key<Integer> MIN_IDLE = Key.of("min_idle", ValueTypes.integer(0, 32_767), "2");
    private static final Key<Duration> MAX_IDLE_TIME = Key.of("max_idle_time", ValueTypes.duration(), "5m");
    private static final Key<Duration> CONNECTION_TIMEOUT = Key.of("connection_timeout", ValueTypes.duration(), "30s");
    private static final Key<Duration> LEASE_RETRY = Key.of("lease_retry", ValueTypes.duration(), "500ms");

    static final Schema SCHEMA = Schema.of(
            MAX_CONNECTIONS, MAX_CONNECTIONS_PER_LOGIN, MIN_IDLE, MAX_IDLE_TIME, CONNECTION_TIMEOUT, LEASE_RETRY);

    public CapacityConfig {
        new Consistency()
                .refuse(minIdle > maxConnections, "min_idle", "max_connections")
                .because(
                        "It is above max_connections (" + maxConnections + ").",
                        "Lower it: " + maxConnections + " is the maximum number of connections.")
                .refuse(maxConnectionsPerLogin > maxConnections, "max_connections_per_login", "max_connections")
                .because(
                        "It is above max_connections (" + maxConnections + ").",
                        "Lower it, or write 0 for no limit of its own.")
                .orThrow();
    }

    static CapacityConfig read(Section section) {
        return section.make(CapacityConfig::from);
    }

    private static CapacityConfig from(Section section) {
        int maxConnections = section.get(MAX_CONNECTIONS);
        // The default must not contradict a limit of one.
        int minIdle = section.has(MIN_IDLE) ? section.get(MIN_IDLE) : Math.min(section.get(MIN_IDLE), maxConnections);
        return new CapacityConfig(
                maxConnections,
                section.get(MAX_CONNECTIONS_PER_LOGIN),
                minIdle,
                section.get(MAX_IDLE_TIME),
                section.get(CONNECTION_TIMEOUT),
                section.get(LEASE_RETRY));
    }
}
