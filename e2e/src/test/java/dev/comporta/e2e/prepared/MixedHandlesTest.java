package dev.comporta.e2e.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.control.Counters;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A million executions by clients whose handles have the same numbers and stand for different statements, mixed over few
 * server connections: no row is another's. Clients also name handles that they do not have; none of these numbers reaches the
 * server, where it may be another client's statement.
 */
@Timeout(240)
class MixedHandlesTest {
    private static final int CLIENTS = 12;
    private static final int LIMIT = 3;
    private static final long EXECUTIONS = Long.getLong("handles.executions", 1_000_000);
    private static final long SEED = Long.getLong("comporta.seed", 20_261_117L);
    private static final int PATIENCE_SECONDS = 120;

    @Test
    void noExecutionRunsAnothersStatement() throws Exception {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        // A record of every touch of every buffer takes most of the time; other tests are there for leaks.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try (PreparedPlace place = PreparedPlace.open(LIMIT)) {
            mix(place);
            Counters counters = place.standin().counters();
            System.out.println(counters);
            assertThat(place.standin().engine().handles().firstUnknown())
                    .as("handles that the server did not give to the session")
                    .isEmpty();
            assertThat(counters.mostSessions()).as("server connections").isEqualTo(LIMIT);
            assertThat(place.pins()).as("pins for prepared statements").isZero();
        } finally {
            ResourceLeakDetector.setLevel(before);
        }
    }

    private static void mix(PreparedPlace place) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        CountDownLatch ended = new CountDownLatch(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) {
            long seed = SEED + i;
            Thread.ofVirtual().start(() -> {
                try (MixingClient client = new MixingClient(place.port(), seed)) {
                    while (done.get() < EXECUTIONS && wrong.isEmpty()) {
                        done.addAndGet(client.execute());
                    }
                } catch (Throwable e) {
                    wrong.add(e);
                } finally {
                    ended.countDown();
                }
            });
        }
        boolean all = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!wrong.isEmpty()) {
            throw new AssertionError("wrong after " + done + " executions, seed " + SEED, wrong.peek());
        }
        assertThat(all)
                .as(
                        "all ended: %s executions, %s pins, %s",
                        done, place.pins(), place.standin().counters())
                .isTrue();
    }
}
