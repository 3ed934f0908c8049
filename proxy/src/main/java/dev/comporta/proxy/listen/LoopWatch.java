package dev.comporta.proxy.listen;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * Knows whether the event loops live. A loop that ends takes its buckets with it, while the process and the other loops go
 * on: nobody but this notices. Any thread.
 */
public final class LoopWatch {
    private static final long BEAT_MILLIS = 500;

    /** When each loop was last seen at work, by {@link System#nanoTime}. */
    private final ConcurrentMap<EventExecutor, Long> beats = new ConcurrentHashMap<>();

    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile boolean over;

    public LoopWatch(EventLoopGroup... groups) {
        for (EventLoopGroup loops : groups) {
            watch(loops);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of the heartbeats: they end with their loop
    private void watch(EventLoopGroup loops) {
        for (EventExecutor loop : loops) {
            beats.put(loop, System.nanoTime());
            loop.scheduleAtFixedRate(
                    () -> beats.put(loop, System.nanoTime()), BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
            loop.terminationFuture().addListener(_ -> {
                if (!over) {
                    ended.complete("event loop " + loop + " has ended");
                }
            });
        }
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
