package dev.comporta.lease.dynamodb;

import dev.comporta.lease.BookFields;
import dev.comporta.lease.BookKeeper;
import dev.comporta.lease.LeaseBook;
import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A bucket's book, in one item. A call reads it, decides, and writes it if no other instance has written it since. If a
 * write gets no answer, the item is read again to see whether it was carried out. One call at a time; a call carries
 * totals, so the next one contains all that was asked for and given back meanwhile. Any thread; blocks.
 */
final class DynamoBook {
    /** An item as it was read; absent if there was none. */
    record Read(Optional<Map<String, AttributeValue>> item) {}

    private final String bucket;
    private final DynamoTable table;
    private final Heart heart;
    private final LeaseClock clock;
    private final Duration longestCall;
    private final Consumer<BookKeeper.Ruling> announce;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final ReentrantLock turn = new ReentrantLock(true);
    final BookKeeper keeper;

    private volatile boolean waiting;

    DynamoBook(
            String bucket,
            DynamoTable table,
            Heart heart,
            LeaseSettings settings,
            LeaseClock clock,
            Consumer<BookKeeper.Ruling> announce) {
        this.bucket = bucket;
        this.table = table;
        this.heart = heart;
        this.clock = clock;
        this.announce = announce;
        longestCall = settings.longestCall();
        keeper = new BookKeeper(heart.process, settings, heart.others);
    }

    Items.Key key() {
        return Items.book(bucket);
    }

    /** Whether this instance waits in line for slots. */
    boolean isWaiting() {
        return waiting;
    }

    /**
     * @param askedAt when the call was made, by the instance's clock
     * @param first the item, if it was read after that; null to read it
     */
    LeaseReply call(LeaseCall call, long askedAt, @Nullable Read first) {
        Pauses pauses = new Pauses(longestCall, random);
        turn.lock();
        try {
            pauses.throwIfOver();
            Read read = first;
            while (true) {
                try {
                    LeaseReply reply = attempt(call, askedAt, read == null ? new Read(table.get(key())) : read);
                    waiting = call.form() != LeaseCall.Form.BYE && call.asked() > reply.granted();
                    return reply;
                } catch (SdkException e) {
                    read = null;
                    pauseBeforeRetry(e, pauses);
                }
            }
        } finally {
            turn.unlock();
        }
    }

    private void pauseBeforeRetry(SdkException failure, Pauses pauses) {
        if (!DynamoTrouble.isConflict(failure) && !DynamoTrouble.isPassing(failure)) {
            throw failure;
        }
        try {
            if (DynamoTrouble.isUnanswered(failure)) {
                pauses.onceOrThrow(failure); // one retry shows whether it was carried out; a second failure is reported
            } else {
                pauses.afterOrThrow(failure);
            }
        } catch (SdkException timeout) {
            table.doubt(); // when DynamoDB works again, the table may be another one
            throw timeout;
        }
    }

    private LeaseReply attempt(LeaseCall call, long askedAt, Read read) {
        DynamoTable.Identity identity = table.identity();
        LeaseBook book = read.item.map(i -> BookFields.book(Items.fields(i))).orElseGet(LeaseBook::new);
        long writes = read.item.map(i -> Items.number(i, Items.WRITES)).orElse(0L);
        BookKeeper.Ruling ruling = rule(book, writes, call, identity);
        if (ruling.isDoubtful()) {
            heart.look();
            ruling = rule(book, writes, call, identity);
        }
        if (ruling.isChanged()) {
            write(ruling, read);
        }
        LeaseReply reply = keeper.settle(ruling, call, askedAt, Heart.millis());
        if (!ruling.announcements().isEmpty()) {
            announce.accept(ruling);
        }
        return reply;
    }

    private BookKeeper.Ruling rule(LeaseBook book, long writes, LeaseCall call, DynamoTable.Identity identity) {
        return keeper.rule(
                book, writes, call, keeper.isToProve(clock.now()), identity.id(), identity.isOld(), Heart.millis());
    }

    private void write(BookKeeper.Ruling ruling, Read over) {
        Map<String, AttributeValue> item = new HashMap<>(Items.attributes(BookFields.of(ruling.book())));
        item.putAll(key().attributes());
        item.put(Items.WRITES, Items.number(ruling.writes()));
        item.put(Items.STAMP, Items.text(UUID.randomUUID().toString()));
        table.putIfUnchanged(item, over.item.map(i -> Items.text(i, Items.STAMP)));
    }
}
