package dev.comporta.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Reports buffers that were garbage-collected without being released. Needs Netty's leak detection at paranoid.
 *
 * <p>The detector finds a leak in a reference queue, which the JVM fills some time after a collection, and reports it
 * when the next buffer is allocated. So the watch leaks a buffer of its own and waits until that is reported. It does so
 * twice: the JVM enqueues the references of one collection, in any order, before those of the next.
 */
public final class LeakWatch implements AutoCloseable {
    private static final String CANARY = "leaked on purpose, number ";
    private static final AtomicInteger CANARIES = new AtomicInteger();
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final LogLines reports = new LogLines(ResourceLeakDetector.class);
    private final int before;

    /** Ignores the leaks reported before. */
    public LeakWatch() {
        before = leaks().size();
    }

    public void assertNone() {
        assertThat(leaks().stream().skip(before)).isEmpty();
    }

    private List<String> leaks() {
        awaitCanary();
        awaitCanary();
        return reports.lines().stream()
                .filter(line -> line.contains("LEAK") && !line.contains(CANARY))
                .toList();
    }

    private void awaitCanary() {
        String canary = CANARY + CANARIES.incrementAndGet() + ";";
        leak(canary);
        Awaitility.await()
                .atMost(DEADLINE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> isReported(canary));
    }

    /** In a frame of its own, so that no reference to the buffer remains. */
    private static void leak(String canary) {
        PooledByteBufAllocator.DEFAULT.buffer(1).touch(canary);
    }

    private boolean isReported(String canary) {
        System.gc();
        for (int i = 0; i < 100; i++) {
            PooledByteBufAllocator.DEFAULT.buffer(16).release();
        }
        return reports.lines().stream().anyMatch(line -> line.contains(canary));
    }

    @Override
    public void close() {
        reports.close();
    }
}
