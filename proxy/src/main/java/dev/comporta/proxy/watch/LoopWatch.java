package dev.comporta.proxy.watch;

import dev.comporta.pool.stats.HistogramSnapshot;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * Watches whether the event loops run. When a loop ends, its buckets end with it while the process and the other loops go on,
 * which only this notices. Any thread.
 */
public final class LoopWatch {
    /** Often enough to notice a stall of some tens of milliseconds; ten wake-ups a second cost an idle loop nothing. */
    private static final long BEAT_MILLIS = 100;

    /** The last beat of each loop, by {@link System#nanoTime}. */
    private final ConcurrentMap<EventExecutor, Long> beats = new ConcurrentHashMap<>();

    /** The lag of each loop, by its name: its purpose and a number from 0. */
    private final Map<String, LoopLag> lags = new TreeMap<>();

    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile boolean over;

    /**
     * @param acceptor the loops that accept connections
     * @param loops the loops that serve them
     */
    public LoopWatch(EventLoopGroup acceptor, EventLoopGroup loops) {
        watch("accept", acceptor);
        watch("loop", loops);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of the beats: they end with their loop
    private void watch(String name, EventLoopGroup loops) {
        int number = 0;
        for (EventExecutor loop : loops) {
            long began = System.nanoTime();
            LoopLag lag = new LoopLag(TimeUnit.MILLISECONDS.toNanos(BEAT_MILLIS), began);
            lags.put(name + "-" + number++, lag);
            beats.put(loop, began);
            loop.scheduleAtFixedRate(() -> beat(loop, lag), BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
            loop.terminationFuture().addListener(_ -> {
                if (!over) {
                    ended.complete("event loop " + loop + " has ended");
                }
            });
        }
    }

    private void beat(EventExecutor loop, LoopLag lag) {
        long now = System.nanoTime();
        beats.put(loop, now);
        lag.beat(now);
    }

    /** How late each loop runs what is due, by its name. */
    public Map<String, HistogramSnapshot> lags() {
        Map<String, HistogramSnapshot> all = new TreeMap<>();
        lags.forEach((name, lag) -> all.put(name, lag.snapshot()));
        return all;
    }

    /** The longest time that any loop has been silent. */
    public Duration silence() {
        long now = System.nanoTime();
        long longest = 0;
        for (long beat : beats.values()) {
            longest = Math.max(longest, now - beat);
        }
        return Duration.ofNanos(longest);
    }

    /** Completes with a description when a loop ends unexpectedly. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** From now on loops may end. */
    public void close() {
        over = true;
    }
}
