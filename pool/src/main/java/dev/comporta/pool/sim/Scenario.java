package dev.comporta.pool.sim;

import dev.comporta.pool.settings.BucketSettings;
import java.time.Duration;

/**
 * The fleet to simulate, its load and its failures.
 *
 * @param buckets database servers
 * @param tenants applications, spread evenly over the buckets
 * @param callsPerMinute calls of each tenant per minute, at random times
 * @param poolsPerBucket logins the tenants of a bucket use
 * @param duration the virtual time to simulate
 * @param bucket the settings of every bucket
 * @param load the cost of the calls
 * @param bursts moments when many tenants call at once
 * @param outage one server's death and return
 * @param seed the seed of all random choices
 */
public record Scenario(
        int buckets,
        int tenants,
        double callsPerMinute,
        int poolsPerBucket,
        Duration duration,
        BucketSettings bucket,
        Load load,
        Bursts bursts,
        Outage outage,
        long seed) {
    /** 120 servers, 300,000 tenants at 10 calls a minute, bursts, slow queries, and one server that dies. */
    public static final Scenario FLEET = new Scenario(
            120,
            300_000,
            10,
            2,
            Duration.ofMinutes(1),
            BucketSettings.DEFAULTS,
            new Load(Duration.ofMillis(20), 0.01, Duration.ofSeconds(1), Duration.ofMillis(15)),
            new Bursts(Duration.ofSeconds(15), Duration.ofMillis(500), 0.5),
            new Outage(7, Duration.ofSeconds(20), Duration.ofSeconds(20)),
            1);

    /**
     * The time that calls take. Times are exponentially distributed around their mean.
     *
     * @param query the mean of an ordinary call
     * @param slowShare the share of the calls that are slow
     * @param slowQuery the mean of a slow one
     * @param connect the time it takes to open a connection
     */
    public record Load(Duration query, double slowShare, Duration slowQuery, Duration connect) {}

    /**
     * A share of a bucket's tenants call at once, at regular intervals from a random start for each bucket.
     *
     * @param every the time between two bursts of a bucket; 0 for none
     * @param length how long a burst takes
     * @param share the share of the tenants that call in it, on top of their other calls
     */
    public record Bursts(Duration every, Duration length, double share) {}

    /**
     * A server dies: its connections end, and it refuses new ones.
     *
     * @param bucket which one; -1 for none
     * @param from when
     * @param length for how long
     */
    public record Outage(int bucket, Duration from, Duration length) {}

    public Scenario {
        if (buckets < 1 || tenants < buckets || poolsPerBucket < 1) {
            throw new IllegalArgumentException("A scenario needs a bucket, a tenant for each, and a pool to share: "
                    + buckets + " buckets, " + tenants + " tenants, " + poolsPerBucket + " pools");
        }
    }

    public Scenario withSeed(long value) {
        return new Scenario(
                buckets, tenants, callsPerMinute, poolsPerBucket, duration, bucket, load, bursts, outage, value);
    }

    public Scenario withDuration(Duration value) {
        return new Scenario(
                buckets, tenants, callsPerMinute, poolsPerBucket, value, bucket, load, bursts, outage, seed);
    }

    public Scenario withBucket(BucketSettings value) {
        return new Scenario(
                buckets, tenants, callsPerMinute, poolsPerBucket, duration, value, load, bursts, outage, seed);
    }

    public Scenario withTenants(int value) {
        return new Scenario(
                buckets, value, callsPerMinute, poolsPerBucket, duration, bucket, load, bursts, outage, seed);
    }

    public Scenario withBuckets(int value) {
        return new Scenario(
                value, tenants, callsPerMinute, poolsPerBucket, duration, bucket, load, bursts, outage, seed);
    }

    public Scenario withPools(int value) {
        return new Scenario(buckets, tenants, callsPerMinute, value, duration, bucket, load, bursts, outage, seed);
    }
}
