package dev.comporta.app.live;

import dev.comporta.ops.http.HttpStream;
import dev.comporta.ops.work.BackgroundWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the same messages to all open pages: each is made once per tick, however many pages are open, and not at all while
 * none is. Confined to the feed's thread, except that streams are opened and closed on any thread.
 */
final class LiveFeed implements AutoCloseable {
    /** Often enough to look alive. A tick takes a snapshot of each bucket, on its loop. */
    static final Duration EVERY = Duration.ofSeconds(2);

    /** Instances change seldom, and the message with their slots of 200 buckets is the longest one. */
    private static final int TICKS_PER_INSTANCES = 3;

    private static final Logger log = LoggerFactory.getLogger(LiveFeed.class);

    private static final class Page {
        final HttpStream.Reader reader;
        final @Nullable String bucket;
        volatile boolean gone;

        Page(HttpStream.Reader reader, @Nullable String bucket) {
            this.reader = reader;
            this.bucket = bucket;
        }
    }

    private final LiveMessages messages;
    private final BackgroundWork work;
    private final Supplier<?> access;
    private final long everyNanos;
    private final BlockingQueue<Page> arrivals = new LinkedBlockingQueue<>();
    private final Thread thread;

    private final List<Page> pages = new ArrayList<>();
    /** The messages made in this tick, by name: for pages that open before the next tick. */
    private final Map<String, Optional<byte[]>> rendered = new HashMap<>();
    /** The time of the last point sent, by bucket. */
    private final Map<String, Long> points = new HashMap<>();

    private long events;
    private int ticks;
    private long nextTick = System.nanoTime();
    private Object accessThen;

    /** @param access the settings that decide who may read: when they change, all streams end, so that pages ask again */
    LiveFeed(LiveMessages messages, BackgroundWork work, Supplier<?> access, Duration every) {
        this.messages = messages;
        this.work = work;
        this.access = access;
        everyNanos = every.toNanos();
        accessThen = access.get();
        thread = Thread.ofVirtual().name("live").unstarted(this::run);
    }

    LiveFeed start() {
        thread.start();
        return this;
    }

    /** A stream for one page. Any thread. */
    HttpStream stream(@Nullable String bucket) {
        return reader -> {
            Page page = new Page(reader, bucket);
            arrivals.add(page);
            return () -> page.gone = true;
        };
    }

    private void run() {
        try {
            while (true) {
                Page arrived = pages.isEmpty()
                        ? arrivals.take()
                        : arrivals.poll(nextTick - System.nanoTime(), TimeUnit.NANOSECONDS);
                work.call(() -> step(arrived));
            }
        } catch (InterruptedException closed) {
            pages.forEach(page -> page.reader.end());
        }
    }

    private boolean step(@Nullable Page arrived) {
        try {
            if (System.nanoTime() - nextTick >= 0) {
                nextTick = System.nanoTime() + everyNanos;
                tick();
            }
            if (arrived != null) {
                pages.add(arrived);
                welcome(arrived);
            }
            return true;
        } catch (RuntimeException e) {
            log.error("the live page could not be updated", e);
            return false;
        }
    }

    private void tick() {
        rendered.clear();
        ticks++;
        pages.removeIf(page -> page.gone);
        Object accessNow = access.get();
        if (!accessNow.equals(accessThen)) {
            accessThen = accessNow;
            pages.forEach(page -> page.reader.end());
            pages.clear();
        }
        if (pages.isEmpty()) {
            return;
        }
        toAll(once("buckets", () -> Optional.of(messages.buckets())));
        if (ticks % TICKS_PER_INSTANCES == 0) {
            toAll(once("instances", () -> Optional.of(messages.instances())));
        }
        long latest = messages.latestEvent();
        if (latest > events) {
            toAll(Optional.of(messages.eventsAfter(events)));
            events = latest;
        }
        tellOfBuckets();
    }

    private void tellOfBuckets() {
        Map<String, List<Page>> inDetail = new HashMap<>();
        Map<String, List<Page>> drawn = new HashMap<>();
        for (Page page : pages) {
            if (page.bucket != null) {
                inDetail.computeIfAbsent(page.bucket, _ -> new ArrayList<>()).add(page);
            }
            drawnBy(page)
                    .forEach(bucket -> drawn.computeIfAbsent(bucket, _ -> new ArrayList<>())
                            .add(page));
        }
        inDetail.forEach((bucket, readers) -> send(detail(bucket), readers));
        points.keySet().retainAll(drawn.keySet());
        drawn.forEach((bucket, readers) -> {
            long latest = messages.latestPoint(bucket);
            long sent = points.getOrDefault(bucket, Long.MIN_VALUE);
            if (latest > sent) {
                send(messages.historyAfter(bucket, sent), readers);
                points.put(bucket, latest);
            }
        });
    }

    private List<String> drawnBy(Page page) {
        return page.bucket == null ? messages.drawnTogether() : List.of(page.bucket);
    }

    /** Sends a new page everything to begin with. It may get an event or a point twice, and knows it by its number or time. */
    private void welcome(Page page) {
        List<Page> alone = List.of(page);
        send(once("instances", () -> Optional.of(messages.instances())), alone);
        send(once("buckets", () -> Optional.of(messages.buckets())), alone);
        send(once("events", () -> Optional.of(messages.eventsAfter(0))), alone);
        events = pages.size() == 1 ? messages.latestEvent() : events;
        for (String bucket : drawnBy(page)) {
            send(once("history " + bucket, () -> messages.historyAfter(bucket, Long.MIN_VALUE)), alone);
            points.putIfAbsent(bucket, messages.latestPoint(bucket));
        }
        if (page.bucket != null) {
            send(detail(page.bucket), alone);
        }
    }

    private Optional<byte[]> detail(String bucket) {
        return once("detail " + bucket, () -> messages.detail(bucket));
    }

    private Optional<byte[]> once(String what, Supplier<Optional<byte[]>> message) {
        // Not computeIfAbsent: making the message takes a while, and may fail.
        Optional<byte[]> before = rendered.get(what);
        if (before == null) {
            before = message.get();
            rendered.put(what, before);
        }
        return before;
    }

    private void toAll(Optional<byte[]> message) {
        send(message, pages);
    }

    private static void send(Optional<byte[]> message, List<Page> to) {
        byte[] piece = message.orElse(ServerSentEvent.HEARTBEAT);
        to.forEach(page -> page.reader.send(piece));
    }

    /** Ends all streams. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
