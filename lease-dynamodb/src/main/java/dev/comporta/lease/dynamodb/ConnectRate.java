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
 * A bucket's connect rate, which the fleet shares: a token bucket kept as the time at which it will be full again. That time is
 * the item's own: whoever writes it adds what has passed by its own monotonic clock since it last saw the item. Nobody can
 * have seen a time before it was written, so the item's time is never ahead of the true one, and the rate never exceeded; an
 * instance that has just come may have to wait a burst's time longer. Any thread; blocks.
 */
final class ConnectRate {
    private static final String TIME = "time";
    private static final String FULL = "full";
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final Items.Key key;
    private final DynamoTable table;
    private final Duration longestCall;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final ReentrantLock turn = new ReentrantLock(true);

    /** What must be added to this process' clock for the item's time, as far as was seen: the more was seen, the later. */
    private long ahead = Long.MIN_VALUE;

    ConnectRate(String bucket, DynamoTable table, Duration longestCall) {
        this.table = table;
        this.longestCall = longestCall;
        key = Items.rate(bucket);
    }

    ConnectPermits ask(int wanted, ConnectRateSettings rate) {
        Pauses pauses = new Pauses(longestCall, random);
        turn.lock();
        try {
            while (true) {
                try {
                    return attempt(wanted, rate);
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

    private ConnectPermits attempt(int wanted, ConnectRateSettings rate) {
        Optional<Map<String, AttributeValue>> read = table.get(key);
        long clock = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
        ahead = Math.max(ahead, read.map(i -> Items.number(i, TIME)).orElse(0L) - clock);
        long now = clock + ahead;
        long interval = MICROS_PER_SECOND / rate.perSecond();
        long full = Math.max(now, read.map(i -> Items.number(i, FULL)).orElse(0L));
        long there = rate.burst() - Math.ceilDiv(full - now, interval);
        int granted = Math.clamp(there, 0, wanted);
        if (granted > 0) {
            full += granted * interval;
            write(now, full, read.map(i -> Items.text(i, Items.STAMP)));
        }
        long untilNext = full - now - (rate.burst() - 1) * interval;
        return new ConnectPermits(granted, Math.max(1, Math.ceilDiv(untilNext, MICROS_PER_MILLI)));
    }

    /** If the answer is lost, the permits are lost with it: the rate is kept all the same. */
    private void write(long time, long full, Optional<String> stamp) {
        Map<String, AttributeValue> item = new HashMap<>(key.attributes());
        item.put(TIME, Items.number(time));
        item.put(FULL, Items.number(full));
        item.put(Items.STAMP, Items.text(UUID.randomUUID().toString()));
        item.put(Items.EXPIRES, Items.expiry());
        table.putIfUnchanged(item, stamp);
    }
}
