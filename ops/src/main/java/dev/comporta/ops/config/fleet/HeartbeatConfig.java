package dev.comporta.ops.config.fleet;

import dev.comporta.ops.config.value.DurationText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/** How often an instance sends a heartbeat, and how long after one it counts as alive. */
public record HeartbeatConfig(Duration interval, Duration timeToLive) {
    private static final Key<Duration> INTERVAL = Key.of("heartbeat_interval", ValueTypes.duration(), "10s");
    private static final Key<Duration> TTL = Key.of("heartbeat_ttl", ValueTypes.duration(), "30s");

    static final Schema SCHEMA = Schema.of(INTERVAL, TTL);

    public HeartbeatConfig {
        new Consistency()
                .refuse(timeToLive.compareTo(interval.multipliedBy(2)) <= 0, "heartbeat_ttl", "heartbeat_interval")
                .because(
                        "An instance would be declared dead after a single late heartbeat.",
                        "Make it more than twice heartbeat_interval (" + DurationText.format(interval) + ").")
                .orThrow();
    }

    static HeartbeatConfig read(Section section) {
        return section.make(store -> new HeartbeatConfig(store.get(INTERVAL), store.get(TTL)));
    }
}
