package dev.comporta.app;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseNews;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.RedisEndpoint;
import dev.comporta.lease.redis.RedisLeaseStore;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.fleet.RedisConfig;
import dev.comporta.ops.watch.Observation.FleetSight;
import dev.comporta.pool.lease.LeaseSource;
import java.time.Duration;
import java.util.Optional;

/** The slots of all buckets, shared with the other instances through Redis. */
final class Fleet {
    private final LeaseSettings settings;
    private final FleetLeases leases;

    private Fleet(LeaseSettings settings, RedisEndpoint redis, LeaseNews news) {
        this.settings = settings;
        leases = new FleetLeases(settings, RedisLeaseStore.connect(settings, redis), news);
    }

    /** Absent without {@code redis.addr}: then slots are shared with nobody. */
    static Optional<Fleet> of(Configuration configuration, LeaseNews news) {
        return configuration.redis().map(redis -> new Fleet(settings(configuration, redis), endpoint(redis), news));
    }

    /** Where the buckets get their slots from. */
    LeaseSource leases() {
        return leases;
    }

    /** How it stands with the others. Any thread. */
    FleetSight sight() {
        return new FleetSight(
                settings.fallback(),
                settings.heartbeatInterval(),
                settings.timeToLive(),
                leases.views(),
                leases.operations());
    }

    private static LeaseSettings settings(Configuration configuration, RedisConfig redis) {
        return new LeaseSettings(
                configuration.proxy().instanceId(),
                redis.heartbeat().interval(),
                redis.heartbeat().timeToLive(),
                configuration.fallback().enabled(),
                configuration.fallback().localLimitDivisor());
    }

    private static RedisEndpoint endpoint(RedisConfig redis) {
        Optional<RedisEndpoint.Credentials> credentials = redis.password()
                .map(password -> new RedisEndpoint.Credentials(redis.username().orElse(""), password.reveal()));
        return new RedisEndpoint(
                switch (redis.mode()) {
                    case STANDALONE -> RedisEndpoint.Mode.STANDALONE;
                    case SENTINEL -> RedisEndpoint.Mode.SENTINEL;
                    case CLUSTER -> RedisEndpoint.Mode.CLUSTER;
                },
                redis.addresses().stream()
                        .map(address -> new RedisEndpoint.Address(address.host(), address.port()))
                        .toList(),
                redis.sentinelMaster(),
                credentials,
                redis.database(),
                redis.keyPrefix(),
                new RedisEndpoint.Tls(
                        redis.tls().enabled(),
                        redis.tls().trustServerCertificate(),
                        redis.tls().caFile()),
                redis.dialTimeout(),
                longer(redis.readTimeout(), redis.writeTimeout()));
    }

    /** A command is written and its answer read: it has failed when the longer of the two times is over. */
    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
