package dev.comporta.e2e.crosstalk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.crosstalk.Stranger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Five hundred clients of mixed drivers on ten server connections for a minute: nobody ever sees what is another's, and
 * nothing is left of them. What each of them does, and in which order, is chosen by its seed.
 */
class CrossTalkTest {
    private static final int CLIENTS = Integer.getInteger("crosstalk.clients", 500);
    private static final int LIMIT = 10;
    private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("crosstalk.seconds", 60));
    private static final long SEED = Long.getLong("crosstalk.seed", 20_261_116);

    /** A client that is in the queue when the time is over still gets its turn, on a slow machine too. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @Test
    @Timeout(300)
    void nobodySeesWhatIsAnothersAndNothingIsLeft() throws Exception {
        try (LeakWatch leaks = new LeakWatch();
                Place place = Place.open(LIMIT)) {
            place.prepare();
            try (Crowd crowd = Crowd.gather(place.server(), place.proxied(), CLIENTS, SEED)) {
                place.forgetWhoLooked();
                letThemLive(crowd.strangers(), place);
                Map<Integer, Integer> entries = place.entries();
                assertThat(entries).as("something was committed").isNotEmpty();
                for (Stranger stranger : crowd.strangers()) {
                    assertThat(entries.getOrDefault(stranger.id, 0))
                            .as("entries of %s", stranger)
                            .isEqualTo(stranger.committed());
                }
            }
            assertThat(place.standin().counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertNothingIsLeft(place));
            leaks.assertNone();
        }
    }

    /** Ends with the first that sees something wrong, or when each has done what it was about. */
    private static void letThemLive(List<Stranger> strangers, Place place) throws InterruptedException {
        long end = System.nanoTime() + LASTS.toNanos();
        Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        Queue<Stranger> living = new ConcurrentLinkedQueue<>(strangers);
        CountDownLatch done = new CountDownLatch(strangers.size());
        AtomicLong rounds = new AtomicLong();
        for (Stranger stranger : strangers) {
            Thread.ofVirtual().name("client " + stranger.id).start(() -> {
                try {
                    rounds.addAndGet(stranger.live(() -> wrong.isEmpty() && System.nanoTime() < end));
                } catch (Throwable e) {
                    wrong.add(e);
                } finally {
                    living.remove(stranger);
                    done.countDown();
                }
            });
        }
        boolean allDone = done.await(LASTS.plus(PATIENCE).toSeconds(), TimeUnit.SECONDS);
        if (!wrong.isEmpty()) {
            AssertionError first =
                    new AssertionError(wrong.size() + " clients have seen something wrong", wrong.poll());
            wrong.forEach(first::addSuppressed);
            throw first;
        }
        assertThat(allDone)
                .as("all clients came to an end; these hang: %s; the proxy: %s", living, place.glance())
                .isTrue();
        System.out.printf(
                "%d clients did %,d things; %s%n",
                strangers.size(), rounds.get(), place.standin().counters());
        assertThat(rounds).as("things done").hasValueGreaterThan(strangers.size());
    }

    private static void assertNothingIsLeft(Place place) {
        BucketLoop.Glance glance = place.glance();
        assertThat(glance.clients()).as("clients").isZero();
        assertThat(glance.pool().waiting()).as("waiters").isZero();
        assertThat(glance.pool().active()).as("connections in use").isZero();
        assertThat(glance.pool().count(ConnectionState.RESETTING))
                .as("connections being reset")
                .isZero();
        assertThat(glance.pool().slots().held()).as("slots").isLessThanOrEqualTo(LIMIT);
        assertThat(place.standin().engine().openTransactions())
                .as("open transactions")
                .isZero();
        assertThat(place.standin().engine().temporaryTables())
                .as("temporary tables")
                .isZero();
        assertThat(place.standin().engine().appLocksHeld())
                .as("application locks")
                .isZero();
        assertThat(place.standin().engine().preparedHandles())
                .as("prepared handles")
                .isZero();
    }
}
