package dev.comporta.app.console;

import dev.comporta.app.slow.SlowRequestLog;
import dev.comporta.lease.LeaseNews;
import dev.comporta.lease.LeaseView;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.SlowRequest;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last thousand events. Refused logins are kept apart, and equal ones are counted as one event: so a flood of them
 * displaces no other events. Any thread; adding an event never waits, because event loops add them.
 */
public final class EventLog implements News, LeaseNews {
    /** Not this package's logger: the lines are about buckets. */
    private static final Logger log = LoggerFactory.getLogger("dev.comporta.pool.health");

    static final int SIZE = 1000;
    static final int REFUSED_LOGINS = 200;
    /** The limit of events added while another thread holds the lock. */
    private static final int MOST_PENDING = 2 * SIZE;

    private static final int LONGEST_MESSAGE = 1000;

    private final InstantSource clock;
    private final AtomicLong ids = new AtomicLong();
    private final Queue<Event> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();

    private final SlowRequestLog slowRequests = new SlowRequestLog();

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, as {@link #others} is. */
    private final Deque<Event> refused = new ArrayDeque<>();

    private final Deque<Event> others = new ArrayDeque<>();

    public EventLog() {
        this(InstantSource.system());
    }

    EventLog(InstantSource clock) {
        this.clock = clock;
    }

    public void add(Event.Kind kind, String bucket, String client, String login, String message) {
        String text = message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) + "…" : message;
        if (pendingCount.incrementAndGet() > MOST_PENDING) {
            pendingCount.decrementAndGet();
            return;
        }
        pending.add(new Event(ids.incrementAndGet(), clock.instant(), kind, bucket, client, login, 1, text));
        if (lock.tryLock()) {
            try {
                file();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Adds an event without a client. */
    public void add(Event.Kind kind, String bucket, String message) {
        add(kind, bucket, "", "", message);
    }

    /** All events, in the order of their numbers. */
    public List<Event> events() {
        List<Event> all;
        lock.lock();
        try {
            file();
            all = new ArrayList<>(others);
            all.addAll(refused);
        } finally {
            lock.unlock();
        }
        all.sort(Comparator.comparingLong(Event::id));
        return all;
    }

    private void file() {
        Event event = pending.poll();
        while (event != null) {
            pendingCount.decrementAndGet();
            if (event.kind() == Event.Kind.LOGIN_REFUSED) {
                file(summed(event), refused, REFUSED_LOGINS);
            } else {
                file(event, others, SIZE - REFUSED_LOGINS);
            }
            event = pending.poll();
        }
    }

    private static void file(Event event, Deque<Event> into, int most) {
        into.addLast(event);
        if (into.size() > most) {
            into.removeFirst();
        }
    }

    /** Searches the latest events first: a flood repeats one of them. */
    private Event summed(Event event) {
        Iterator<Event> backwards = refused.descendingIterator();
        while (backwards.hasNext()) {
            Event before = backwards.next();
            if (before.isSameAs(event)) {
                backwards.remove();
                return event.after(before);
            }
        }
        return event;
    }

    @Override
    public void bucketDown(String bucket, String reason) {
        warn(bucket, reason, "bucket {} is down: {}");
        add(Event.Kind.BUCKET_DOWN, bucket, reason);
    }

    @Override
    public void bucketUp(String bucket) {
        log.atInfo().addKeyValue(ClientLines.BUCKET, bucket).log("bucket {} is up", bucket);
        add(
                Event.Kind.BUCKET_UP,
                bucket,
                "The bucket accepts requests again: its server answers, or the next request tries it.");
    }

    @Override
    public void bucketFull(String bucket, String reason) {
        warn(bucket, reason, "bucket {}: its server is full: {}");
        add(Event.Kind.BUCKET_FULL, bucket, reason);
    }

    @Override
    public void bucketHasRoom(String bucket) {
        log.atInfo().addKeyValue(ClientLines.BUCKET, bucket).log("bucket {}: its server is no longer full", bucket);
        add(Event.Kind.BUCKET_HAS_ROOM, bucket, "The server is no longer full, or does not answer at all.");
    }

    private static void warn(String bucket, String reason, String line) {
        log.atWarn()
                .addKeyValue(ClientLines.BUCKET, bucket)
                .addKeyValue(ClientLines.REASON, reason)
                .log(line, bucket, reason);
    }

    @Override
    public void loginRefused(String bucket, String login, String address, String message) {
        add(Event.Kind.LOGIN_REFUSED, bucket, address, login, message);
    }

    /** The log of slow requests, which are not events. */
    public SlowRequestLog slowRequests() {
        return slowRequests;
    }

    @Override
    public long slowRequestNanos() {
        return slowRequests.thresholdNanos();
    }

    @Override
    public void slowRequest(SlowRequest request) {
        slowRequests.tell(request);
    }

    @Override
    public void pinOverdue(String bucket, String login, String address, String message) {
        add(Event.Kind.PIN_OVERDUE, bucket, address, login, message);
    }

    @Override
    public void pinEnded(String bucket, String login, String address, String message) {
        add(Event.Kind.PIN_ENDED, bucket, address, login, message);
    }

    @Override
    public void expired(String bucket, int connections) {
        String message = "The lease expired: closing " + connections + " server connections.";
        add(Event.Kind.LEASE_EXPIRED, bucket, message);
    }

    @Override
    public void standing(String bucket, LeaseView.Standing now, LeaseView.Standing before) {
        switch (now) {
            case FALLBACK ->
                add(
                        Event.Kind.FALLBACK,
                        bucket,
                        "The lease store can't be reached: the limit is this instance's share.");
            case IN_TOUCH -> {
                if (before == LeaseView.Standing.FALLBACK) {
                    add(Event.Kind.FALLBACK, bucket, "The lease store answers again: slots are leased.");
                }
            }
            case TROUBLED, SUPERSEDED -> {}
        }
    }
}
