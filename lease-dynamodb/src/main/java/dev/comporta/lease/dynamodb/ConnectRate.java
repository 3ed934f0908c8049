package dev.comporta.lease.dynamodb;

import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A bucket's connect rate, which the fleet shares: {@link CountingConnects} bounds connects, and a token bucket spreads them. The
 * token bucket is stored as the time at which it will be full again, on the item's own time scale: an instance that writes the
 * item adds the time since it last saw it, by its own monotonic clock. The instances' views of that scale differ a little, which
 * does not matter for spreading; a new instance may have to wait a second longer. Any thread; blocks.
 *
 * <p>An instance of an older version, which has only the token bucket, removes the counts when it writes: while it runs,
 * only the token bucket limits the connects of all.
 */
final class ConnectRate {
    private static final String TIME = "time";
    private static final String FULL = "full";
    private static final String COUNTING = "counting";
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final Items.Key key;
    private final DynamoTable table;
    private final Duration longestCall;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final ReentrantLock turn = new ReentrantLock(true);
    /** Guarded by {@link #turn}. */
    private final CountingConnects counting =
            new CountingConnects(Long.toString(RandomGenerator.getDefault().nextLong() >>> 1, 36));

    /** The item's time minus this process' clock: the largest difference seen so far. */
    private long ahead = Long.MIN_VALUE;

    ConnectRate(String bucket, DynamoTable table, Duration longestCall) {
        this.table = table;
        this.longestCall = longestCall;
        key = Items.rate(bucket);
    }

    ConnectPermits ask(int wanted, ConnectRateSettings rate, Duration counts) {
        Pauses pauses = new Pauses(longestCall, random);
        turn.lock();
        try {
            pauses.throwIfOver();
            while (true) {
                try {
                    return attempt(wanted, rate, counts.plusNanos(999_999).toMillis());
                } catch (SdkException e) {
                    if (!DynamoTrouble.isConflict(e) && !DynamoTrouble.isPassing(e)) {
                        throw e;
                    }
                    if (DynamoTrouble.isUnanswered(e)) {
                        throw e;
                    }
                    pauses.afterOrThrow(e);
                }
            }
        } finally {
            turn.unlock();
        }
    }

    private ConnectPermits attempt(int wanted, ConnectRateSettings rate, long countsMillis) {
        long begun = System.nanoTime();
        Optional<Map<String, AttributeValue>> found = table.get(key);
        Map<String, AttributeValue> read = found.orElse(Map.of());
        long clock = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
        long written = Items.number(read, TIME);
        ahead = Math.max(ahead, written - clock);
        long now = clock + ahead;
        long interval = MICROS_PER_SECOND / rate.perSecond();
        long full = Math.max(now, Items.number(read, FULL));
        long millis = clock / MICROS_PER_MILLI;
        counting.read(Items.text(read, COUNTING), millis);
        long there =
                Math.min(rate.burst() - Math.ceilDiv(full - now, interval), rate.perSecond() - (long) counting.inAll());
        int granted = Math.clamp(there, 0, wanted);
        if (granted > 0) {
            full += granted * interval;
            // One more, because the present millisecond has begun already.
            counting.add(granted, countsMillis + 1, millis);
            write(now, full, found.map(i -> Items.text(i, Items.STAMP)));
        }
        long untilToken = Math.ceilDiv(full - now - (rate.burst() - 1) * interval, MICROS_PER_MILLI);
        long untilFewer = counting.whenAtMost(rate.perSecond() - 1, millis) - millis;
        return new ConnectPermits(granted, Math.max(1, Math.max(untilToken, untilFewer)), System.nanoTime() - begun);
    }

    /** If the answer is lost, the permits are never used: the rate still holds. */
    private void write(long time, long full, Optional<String> stamp) {
        Map<String, AttributeValue> item = new HashMap<>(key.attributes());
        item.put(TIME, Items.number(time));
        item.put(FULL, Items.number(full));
        item.put(COUNTING, Items.text(counting.text()));
        item.put(Items.STAMP, Items.text(UUID.randomUUID().toString()));
        item.put(Items.EXPIRES, Items.expiry());
        table.putIfUnchanged(item, stamp);
    }
}
