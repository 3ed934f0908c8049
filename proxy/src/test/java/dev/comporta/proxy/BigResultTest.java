package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.testkit.EndlessServer;
import dev.comporta.testkit.RawClient;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results of any size pass through a proxy whose memory does not grow with them, at the pace of their reader. */
@Timeout(300)
class BigResultTest {
    private static final long GIGABYTE = 1L << 30;
    private static final long MEGABYTE = 1L << 20;
    private static final long RESULT = 4 * GIGABYTE;
    /**
     * Of the network's own buffers, on both sides of the proxy: what may be on its way to a client that reads nothing.
     * Linux lets a socket send 4 MB, and receive 6, or 32 from version 6.16 on.
     */
    private static final long ON_THE_WAY = 48 * MEGABYTE;
    /** Buffers of the proxy and of what runs beside it in this JVM: some megabytes, not a part of 4 GB. */
    private static final long FLAT = 24 * MEGABYTE;

    private final ResourceLeakDetector.Level watched = ResourceLeakDetector.getLevel();

    /** The detector keeps a stack trace for each byte that is looked at: hours, for this many. */
    @BeforeEach
    void watchNoBuffers() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void watchBuffersAgain() {
        ResourceLeakDetector.setLevel(watched);
    }

    @Test
    void fourGigabytesToAClientThatStopsReading() throws Exception {
        try (EndlessServer server = new EndlessServer(RESULT);
                Proxy proxy = ProxyFixture.startProxy(
                        new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                        BucketSpec.PoolMode.TRANSACTION,
                        BucketSpec.TransactionTracking.ENVCHANGE,
                        settings -> settings.maxConnections(2).minIdle(0));
                RawClient reader = RawClient.loggedIn(proxy.port());
                RawClient other = RawClient.loggedIn(proxy.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            serve(other);
            long heap = heapInUse();
            long direct = PlatformDependent.usedDirectMemory();

            reader.sendBatch("everything");
            long read = reader.skip(64 * MEGABYTE);
            awaitStandstill(server);
            assertThat(server.sent.get() - read).as("sent and not read").isLessThan(ON_THE_WAY);
            assertFlat(heap, direct, read);

            AtomicBoolean over = new AtomicBoolean();
            Future<Integer> served = threads.submit(() -> {
                int requests = 0;
                while (!over.get()) {
                    serve(other);
                    requests++;
                }
                return requests;
            });
            try {
                long part;
                do {
                    part = reader.skip(GIGABYTE);
                    read += part;
                    assertFlat(heap, direct, read);
                } while (part >= GIGABYTE);
                assertThat(read).isGreaterThan(RESULT);
            } finally {
                over.set(true);
            }
            assertThat(served.get()).as("requests of the bucket's other client").isPositive();
            serve(reader);
        }
    }

    private static void assertFlat(long heapBefore, long directBefore, long read) {
        assertThat(heapInUse() - heapBefore).as("heap after %d bytes", read).isLessThan(FLAT);
        assertThat(PlatformDependent.usedDirectMemory() - directBefore)
                .as("direct memory after %d bytes", read)
                .isLessThan(FLAT);
    }

    /** Nothing has moved for half a second: nobody takes what the server has. */
    private static void awaitStandstill(EndlessServer server) {
        long[] sent = {-1};
        int[] samples = {0};
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    long now = server.sent.get();
                    samples[0] = now == sent[0] ? samples[0] + 1 : 0;
                    sent[0] = now;
                    return samples[0] == 5;
                });
    }

    private static void serve(RawClient client) throws Exception {
        client.sendBatch("SELECT 1");
        assertThat(client.doneStatus()).isZero();
    }

    private static long heapInUse() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
