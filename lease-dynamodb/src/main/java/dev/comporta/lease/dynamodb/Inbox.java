package dev.comporta.lease.dynamodb;

import dev.comporta.lease.BookKeeper;
import dev.comporta.lease.LeaseBook;
import dev.comporta.lease.store.Announcement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announcements between instances: each instance has an item with the last announcement for each of its buckets, and reads
 * it regularly. An announcement may be overwritten or lost: its content is in the book too. Any thread; blocks.
 */
final class Inbox {
    private static final Logger log = LoggerFactory.getLogger(Inbox.class);

    private static final String BUCKET = "bucket#";

    private final DynamoTable table;
    private final Items.Key own;

    private record Listener(BookKeeper keeper, Consumer<Announcement> bucket) {}

    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();
    private final Map<String, String> lastTexts = new HashMap<>();

    Inbox(DynamoTable table, String instance) {
        this.table = table;
        own = Items.inbox(instance);
    }

    /** @param keeper knows which announcements are old */
    void listen(String bucket, BookKeeper keeper, Consumer<Announcement> listener) {
        listeners.put(BUCKET + bucket, new Listener(keeper, listener));
    }

    void ignore(String bucket) {
        listeners.remove(BUCKET + bucket);
    }

    /**
     * Sends one announcement. A repeated one counts as a new one.
     *
     * @param writes how often the book had been written that it is based on
     */
    void send(String bucket, LeaseBook.Announcement a, long writes) {
        String text = writes + " " + a.incarnation() + " " + a.granted() + " " + a.soft() + " " + a.hard() + " "
                + Integer.toHexString(RandomGenerator.getDefault().nextInt());
        table.set(Items.inbox(a.to()), BUCKET + bucket, text);
    }

    /** Passes on what was announced since the last call. */
    synchronized void read() {
        table.get(own)
                .ifPresent(item -> item.forEach((name, value) -> {
                    String text = value.s();
                    if (name.startsWith(BUCKET) && text != null && !text.equals(lastTexts.put(name, text))) {
                        pass(name, text);
                    }
                }));
    }

    private void pass(String name, String text) {
        Listener listener = listeners.get(name);
        if (listener == null) {
            return;
        }
        try {
            String[] parts = text.split(" ", -1);
            if (listener.keeper.isNews(Long.parseLong(parts[0]))) {
                listener.bucket.accept(new Announcement(
                        Long.parseLong(parts[1]),
                        Long.parseLong(parts[2]),
                        Integer.parseInt(parts[3]),
                        Integer.parseInt(parts[4])));
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            log.warn("DynamoDB: ignored a malformed announcement in {}: '{}'", name, text);
        }
    }
}
