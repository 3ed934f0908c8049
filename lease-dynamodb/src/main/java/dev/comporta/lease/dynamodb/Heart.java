package dev.comporta.lease.dynamodb;

import dev.comporta.lease.BeatWatch;
import dev.comporta.lease.BookKeeper;
import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * This process' beat, one item for all its buckets, and the beats of the others. A beat shows only that the process lives,
 * so it is written without a condition: at worst, one that arrives late makes the others wait longer. Any thread; blocks.
 */
final class Heart {
    private static final String PROCESS = "process";
    private static final String COUNT = "count";

    /** A beat younger than this part of the heartbeat interval also serves for new calls. */
    private static final int FRESH_PART = 4;

    /** Distinguishes this process from all others that ever had its instance's name. */
    final String process = UUID.randomUUID().toString();

    final BeatWatch others = new BeatWatch();

    private final DynamoTable table;
    private final String instance;
    private final LeaseClock clock;
    private final long freshNanos;
    private final long intervalNanos;
    private final Supplier<Collection<BookKeeper>> keepers;

    private long count;
    private long beatAt = Long.MIN_VALUE;
    private long identifiedAt = Long.MIN_VALUE;

    Heart(DynamoTable table, LeaseSettings settings, LeaseClock clock, Supplier<Collection<BookKeeper>> keepers) {
        this.table = table;
        this.instance = settings.instance();
        this.clock = clock;
        this.keepers = keepers;
        intervalNanos = settings.heartbeatInterval().toNanos();
        freshNanos = intervalNanos / FRESH_PART;
    }

    /** This process' monotonic clock: other instances' silence is measured by it alone. */
    static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Writes a beat, unless the last one is fresh. If that fails, nothing has been proved. */
    synchronized void beat() {
        long sentAt = clock.now();
        if (beatAt != Long.MIN_VALUE && sentAt - beatAt < freshNanos) {
            return;
        }
        if (identifiedAt == Long.MIN_VALUE || sentAt - identifiedAt >= intervalNanos) {
            table.lookAgain();
            identifiedAt = sentAt;
        }
        count++;
        Map<String, AttributeValue> item = new HashMap<>(Items.beat(instance).attributes());
        item.put(PROCESS, Items.text(process));
        item.put(COUNT, Items.number(count));
        item.put(Items.EXPIRES, Items.expiry());
        table.put(item);
        long answeredAt = clock.now();
        keepers.get().forEach(keeper -> keeper.beaten(sentAt, answeredAt));
        beatAt = sentAt;
    }

    /** Reads all beats, including every beat that was written before this call. */
    void look() {
        long sentAt = millis();
        Map<String, BeatWatch.Beat> beats = new HashMap<>();
        for (Map<String, AttributeValue> item : table.all(Items.BEATS)) {
            beats.put(
                    Items.text(item, Items.SORT),
                    new BeatWatch.Beat(Items.text(item, PROCESS), Items.number(item, COUNT)));
        }
        others.saw(beats, sentAt, millis());
    }
}
