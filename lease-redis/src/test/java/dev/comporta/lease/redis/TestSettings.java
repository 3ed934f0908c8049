package dev.comporta.lease.redis;

import dev.comporta.lease.LeaseSettings;
import java.time.Duration;

/** How a {@link TestInstance} takes part in the fleet, and its Redis. */
record TestSettings(
        String instance,
        RedisEndpoint redis,
        Duration heartbeatInterval,
        Duration timeToLive,
        boolean fallback,
        int localLimitDivisor) {
    LeaseSettings lease() {
        return new LeaseSettings(instance, heartbeatInterval, timeToLive, fallback, localLimitDivisor);
    }
}
