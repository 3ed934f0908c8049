package dev.comporta.lease.redis;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.FleetMember;
import java.time.Duration;

/** A member of a fleet whose slots are in Redis. */
final class TestInstance extends FleetMember {
    /** Nobody's lease ends, and no call fails for being slow. */
    static TestSettings settings(String name, RedisEndpoint redis, int divisor) {
        return settings(name, redis, divisor, LONG);
    }

    static TestSettings settings(String name, RedisEndpoint redis, int divisor, Duration timeToLive) {
        return new TestSettings(name, patient(redis, timeToLive), INTERVAL, timeToLive, true, divisor);
    }

    static RedisEndpoint patient(RedisEndpoint redis, Duration timeToLive) {
        Duration patience = timeToLive.dividedBy(3);
        return redis.withDialTimeout(patience).withCommandTimeout(patience);
    }

    final RedisLeaseStore redis;

    TestInstance(TestSettings settings, Database database) {
        this(settings, database, new LeaseClock());
    }

    TestInstance(TestSettings settings, Database database, LeaseClock clock) {
        this(settings, RedisLeaseStore.connect(settings.lease(), settings.redis()), database, clock);
    }

    private TestInstance(TestSettings settings, RedisLeaseStore store, Database database, LeaseClock clock) {
        super(settings.lease(), store, database, clock);
        redis = store;
    }
}
