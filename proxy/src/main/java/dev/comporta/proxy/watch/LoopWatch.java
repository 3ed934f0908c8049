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
 * Knows whether the event loops live. A loop that ends takes its buckets with it, while the process and the other loops go
 * on: nobody but this notices. Any thread.
 */
public final class LoopWatch {
    /** Often enough to meet a stall of some tens of milliseconds, and ten wake-ups a second cost an idle loop nothing. */
    private static final long BEAT_MILLIS = 100;

    /** When each loop was last seen at work, by {@link System#nanoTime}. */
    private final ConcurrentMap<EventExecutor, Long> beats = new ConcurrentHashMap<>();

    /** By the loops' names: what they are for, and a number from 0. */
    private final Map<String, LoopLag> lags = new TreeMap<>();

    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile boolean over;

    /**
     * @param acceptor whose loops accept connections
     * @param loops that serve them
     */
    public LoopWatch(EventLoopGroup acceptor, EventLoopGroup loops) {
        watch("accept", acceptor);
        watch("loop", loops);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of the heartbeats: they end with their loop
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

    /** How late each loop does what is due, by its name. */
    public Map<String, HistogramSnapshot> lags() {
        Map<String, HistogramSnapshot> all = new TreeMap<>();
        lags.forEach((name, lag) -> all.put(name, lag.snapshot()));
        return all;
    }

    /** How long the loop has been silent that has been so for the longest. */
    public Duration silence() {
        long now = System.nanoTime();
        long longest = 0;
        for (long beat : beats.values()) {
            longest = Math.max(longest, now - beat);
        }
        return Duration.ofNanos(longest);
    }

    /** Completes when a loop ends that should not; with what is to be told of it. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** From here on they may end. */
    public void close() {
        over = true;
    }
}
