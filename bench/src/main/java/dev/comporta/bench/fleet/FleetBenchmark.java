package dev.comporta.bench.fleet;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.RedisEndpoint;
import dev.comporta.lease.redis.RedisLeaseStore;
import dev.comporta.pool.settings.BucketSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import redis.embedded.RedisServer;

/**
 * Measures how soon a slot that one instance frees is granted to the instance that waits for it, and the load on Redis. One
 * instance has all slots of a bucket, and as many clients of the next instance wait. Slots become free at an even rate, until
 * all have moved; then the next instance waits. So each instance has 1,000 waiting clients, and as many served ones.
 */
public final class FleetBenchmark {
    private static final int INSTANCES = 3;
    private static final int BUCKETS = 120;
    private static final int LIMIT = 25;
    private static final int ROUNDS = 4;
    private static final int PER_SECOND = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** One instance: its leases, and its buckets on one thread. */
    private record Member(FleetLeases leases, ScheduledExecutorService loop, List<BenchBucket> buckets) {}

    private final Histogram latency = new ConcurrentHistogram(3);
    private final List<Member> members = new ArrayList<>();
    private final int redisPort;

    private FleetBenchmark(int redisPort) {
        this.redisPort = redisPort;
    }

    public static void main(String[] args) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        RedisServer redis = RedisServer.builder()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
        try {
            new FleetBenchmark(port).run();
        } finally {
            redis.stop();
        }
    }

    private void run() throws IOException {
        List<HandOvers> handOvers = new ArrayList<>();
        for (int b = 0; b < BUCKETS; b++) {
            handOvers.add(new HandOvers(latency));
        }
        for (int i = 0; i < INSTANCES; i++) {
            members.add(join("bench-" + i, handOvers));
        }
        waitAt(0);
        awaitSum(LIMIT * BUCKETS, bucket -> bucket.inUse);
        for (int round = 0; round < ROUNDS; round++) {
            int holder = round;
            waitAt(holder + 1);
            awaitSum(LIMIT * BUCKETS, BenchBucket::inLine);
            latency.reset();
            report(round == 0 ? "warm-up" : "round " + round, LIMIT * BUCKETS, () -> handOver(holder));
        }
        members.forEach(member -> {
            member.leases.close();
            member.loop.shutdownNow();
        });
    }

    private Member join(String name, List<HandOvers> handOvers) {
        LeaseSettings terms = new LeaseSettings(name, Duration.ofSeconds(10), Duration.ofSeconds(30), true, INSTANCES);
        FleetLeases leases = new FleetLeases(
                terms, RedisLeaseStore.connect(terms, RedisEndpoint.standalone("127.0.0.1", redisPort)));
        ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(
                task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
        BucketSettings settings =
                BucketSettings.DEFAULTS.but().maxConnections(LIMIT).minIdle(0).build();
        List<BenchBucket> buckets = new ArrayList<>();
        for (int b = 0; b < BUCKETS; b++) {
            BenchBucket bucket = new BenchBucket("bucket-" + b, settings, leases, handOvers.get(b), loop);
            buckets.add(bucket);
        }
        return new Member(leases, loop, buckets);
    }

    /** The instance's bucket that has the slots of bucket b in a round. */
    private BenchBucket bucketOf(int b, int round) {
        return members.get((b + round) % INSTANCES).buckets.get(b);
    }

    private void waitAt(int round) {
        for (int b = 0; b < BUCKETS; b++) {
            BenchBucket bucket = bucketOf(b, round);
            bucket.execute(() -> bucket.want(LIMIT));
        }
    }

    private void handOver(int holder) {
        long begun = System.nanoTime();
        for (int n = 0; n < LIMIT * BUCKETS; n++) {
            long due = begun + n * (TimeUnit.SECONDS.toNanos(1) / PER_SECOND);
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            BenchBucket bucket = bucketOf(n % BUCKETS, holder);
            bucket.execute(bucket::loseOne);
        }
        awaitSum(0, BenchBucket::inLine);
        awaitSum(LIMIT * BUCKETS, bucket -> bucket.inUse);
    }

    private void awaitSum(int expected, ToIntFunction<BenchBucket> what) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (members.stream()
                        .flatMap(member -> member.buckets.stream())
                        .mapToInt(what)
                        .sum()
                != expected) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("The slots are not granted to the waiting instances");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private void report(String what, int slots, Runnable work) throws IOException {
        RedisFigures before = RedisFigures.of("127.0.0.1", redisPort);
        long begun = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - begun) / 1e9;
        RedisFigures after = RedisFigures.of("127.0.0.1", redisPort);
        System.out.printf(
                "%-8s %5d slots in %5.1f s: grant p50 %.2f ms, p99 %.2f ms, max %.2f ms; Redis: %.0f calls/s of %.0f us, %.0f %% of a core%n",
                what,
                slots,
                seconds,
                latency.getValueAtPercentile(50) / 1000.0,
                latency.getValueAtPercentile(99) / 1000.0,
                latency.getMaxValue() / 1000.0,
                (after.scripts() - before.scripts()) / seconds,
                (double) (after.scriptMicros() - before.scriptMicros()) / (after.scripts() - before.scripts()),
                100 * (after.cpuSeconds() - before.cpuSeconds()) / seconds);
    }
}
