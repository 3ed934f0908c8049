package dev.comporta.app;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseNews;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.dynamodb.DynamoEndpoint;
import dev.comporta.lease.dynamodb.DynamoLeaseStore;
import dev.comporta.lease.redis.RedisEndpoint;
import dev.comporta.lease.redis.RedisLeaseStore;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.fleet.DynamoConfig;
import dev.comporta.ops.config.fleet.FleetConfig;
import dev.comporta.ops.config.fleet.HeartbeatConfig;
import dev.comporta.ops.config.fleet.LeasesIn;
import dev.comporta.ops.config.fleet.RedisConfig;
import dev.comporta.ops.watch.Observation.FleetSight;
import dev.comporta.pool.lease.LeaseSource;
import java.time.Duration;
import java.util.Optional;

/** The slots of all buckets, shared with the other instances through Redis or DynamoDB. */
final class Fleet {
    private final LeasesIn store;
    private final LeaseSettings settings;
    private final FleetLeases leases;

    private Fleet(LeasesIn in, LeaseSettings settings, LeaseStore store, LeaseNews news) {
        this.store = in;
        this.settings = settings;
        leases = new FleetLeases(settings, store, news);
    }

    /** Absent if slots are counted in this process. */
    static Optional<Fleet> of(Configuration configuration, LeaseNews news) {
        FleetConfig fleet = configuration.fleet();
        Optional<Fleet> redis = fleet.redis().map(config -> {
            LeaseSettings settings = settings(configuration, config.heartbeat());
            return new Fleet(fleet.leases(), settings, RedisLeaseStore.connect(settings, endpoint(config)), news);
        });
        return redis.or(() -> fleet.dynamodb().map(config -> {
            LeaseSettings settings = settings(configuration, config.heartbeat());
            return new Fleet(fleet.leases(), settings, DynamoLeaseStore.connect(settings, endpoint(config)), news);
        }));
    }

    /** The source of the buckets' slots. */
    LeaseSource leases() {
        return leases;
    }

    /** This instance's part in the fleet. Any thread. */
    FleetSight sight() {
        return new FleetSight(
                store,
                settings.fallback(),
                settings.heartbeatInterval(),
                settings.timeToLive(),
                leases.views(),
                leases.operations());
    }

    private static LeaseSettings settings(Configuration configuration, HeartbeatConfig heartbeat) {
        return new LeaseSettings(
                configuration.proxy().instanceId(),
                heartbeat.interval(),
                heartbeat.timeToLive(),
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

    private static DynamoEndpoint endpoint(DynamoConfig dynamo) {
        return new DynamoEndpoint(
                dynamo.table(),
                dynamo.region(),
                dynamo.endpoint(),
                dynamo.createTable(),
                dynamo.dialTimeout(),
                dynamo.readTimeout());
    }

    /** A command's timeout: the longer of the timeouts for writing it and for reading its answer. */
    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
