package dev.comporta.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.http.HttpStream;
import dev.comporta.ops.work.BackgroundWork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is looked up and rendered for how many readers. */
@Timeout(60)
class LiveFeedTest {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);

    /** Counts what it is asked for. */
    private static final class Counting implements LiveMessages {
        final Map<String, Integer> asked = new ConcurrentHashMap<>();
        volatile long latestEvent = 3;
        volatile boolean broken;
        volatile List<String> few = List.of();

        private byte[] message(String what) {
            int times = asked.merge(what, 1, Integer::sum);
            if (broken) {
                throw new IllegalStateException("on purpose");
            }
            return (what + " " + times + "\n").getBytes(StandardCharsets.UTF_8);
        }

        int times(String what) {
            return asked.getOrDefault(what, 0);
        }

        @Override
        public byte[] buckets() {
            return message("buckets");
        }

        @Override
        public byte[] instances() {
            return message("instances");
        }

        @Override
        public long latestEvent() {
            return latestEvent;
        }

        @Override
        public byte[] eventsAfter(long number) {
            return message("events after " + number);
        }

        @Override
        public Optional<byte[]> detail(String bucket) {
            return bucket.equals("gone") ? Optional.empty() : Optional.of(message("detail of " + bucket));
        }

        @Override
        public Optional<byte[]> historyAfter(String bucket, long millis) {
            return Optional.of(message("history of " + bucket + (millis == Long.MIN_VALUE ? "" : " after " + millis)));
        }

        @Override
        public List<String> drawnTogether() {
            return few;
        }

        @Override
        public long latestPoint(String bucket) {
            return 5;
        }
    }

    private static final class Reading implements HttpStream.Reader {
        private final StringBuffer read = new StringBuffer();
        volatile boolean ended;

        @Override
        public void send(byte[] piece) {
            read.append(new String(piece, StandardCharsets.UTF_8));
        }

        @Override
        public void end() {
            ended = true;
        }

        String text() {
            return read.toString();
        }
    }

    private final Counting messages = new Counting();
    private final AtomicReference<Object> access = new AtomicReference<>("as it was");
    private LiveFeed feed = new LiveFeed(messages, new BackgroundWork(), access::get, NEVER);

    private void start(Duration every) {
        feed = new LiveFeed(messages, new BackgroundWork(), access::get, every).start();
    }

    @AfterEach
    void stop() {
        feed.close();
    }

    @Test
    void fiftyPagesThatOpenTogetherCostOneLook() {
        start(NEVER);
        List<Reading> pages = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Reading page = new Reading();
            pages.add(page);
            feed.stream(i % 2 == 0 ? "lisboa" : "porto").open(page);
        }
        Awaitility.await()
                .until(() -> pages.stream().allMatch(page -> page.text().contains("detail")));
        assertThat(messages.asked)
                .containsOnly(
                        Map.entry("buckets", 1),
                        Map.entry("instances", 1),
                        Map.entry("events after 0", 1),
                        Map.entry("detail of lisboa", 1),
                        Map.entry("detail of porto", 1),
                        Map.entry("history of lisboa", 1),
                        Map.entry("history of porto", 1));
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.text())
                        .startsWith("instances 1\nbuckets 1\nevents after 0 1\nhistory of ")
                        .contains("\ndetail of "));
    }

    @Test
    void aTickIsRenderedOnceForAllAndEventsAreToldWhenThereAreNewOnes() {
        start(TICK);
        Reading one = new Reading();
        Reading two = new Reading();
        feed.stream(null).open(one);
        feed.stream(null).open(two);
        Awaitility.await()
                .until(() -> one.text().contains("buckets 4\n") && two.text().contains("buckets 4\n"));
        assertThat(one.text()).doesNotContain("events after 3");
        messages.latestEvent = 4;
        Awaitility.await()
                .until(() ->
                        one.text().contains("events after 3 1") && two.text().contains("events after 3 1"));
        assertThat(messages.times("instances")).isLessThan(messages.times("buckets"));
    }

    @Test
    void theHistoryOfAFewBucketsIsSentToThePageOfAll() {
        messages.few = List.of("lisboa", "porto");
        start(TICK);
        Reading page = new Reading();
        feed.stream(null).open(page);
        Awaitility.await().until(() -> page.text().contains("buckets 3"));
        assertThat(page.text()).containsOnlyOnce("history of lisboa").containsOnlyOnce("history of porto");
        assertThat(page.text()).doesNotContain("detail");
    }

    @Test
    void nothingIsLookedUpWhileNobodyReads() {
        start(TICK);
        Reading page = new Reading();
        Runnable leave = feed.stream("lisboa").open(page);
        Awaitility.await().until(() -> page.text().contains("detail of lisboa 3"));
        leave.run();
        Reading other = new Reading();
        Runnable leaveToo = feed.stream(null).open(other);
        Awaitility.await().until(() -> other.text().contains("buckets"));
        int details = messages.times("detail of lisboa");
        int seen = messages.times("buckets");
        Awaitility.await().until(() -> messages.times("buckets") > seen + 2);
        assertThat(messages.times("detail of lisboa"))
                .as("of a bucket that nobody watches")
                .isEqualTo(details);
        leaveToo.run();
        Awaitility.await().during(TICK.multipliedBy(5)).until(new Unchanged(() -> messages.times("buckets")));
    }

    /** Whether a number is what it was when it was last asked for. */
    private static final class Unchanged implements java.util.concurrent.Callable<Boolean> {
        private final java.util.function.IntSupplier number;
        private int before = -1;

        Unchanged(java.util.function.IntSupplier number) {
            this.number = number;
        }

        @Override
        public Boolean call() {
            int now = number.getAsInt();
            boolean same = now == before;
            before = now;
            return same;
        }
    }

    @Test
    void aBucketThatSaysNothingGetsItsReaderAHeartbeat() {
        start(TICK);
        Reading page = new Reading();
        feed.stream("gone").open(page);
        Awaitility.await().until(() -> page.text().contains(": still here"));
    }

    @Test
    void whenAccessChangesEverybodyHasToAskAgain() {
        start(TICK);
        Reading page = new Reading();
        feed.stream(null).open(page);
        Awaitility.await().until(() -> page.text().contains("buckets 2\n"));
        assertThat(page.ended).isFalse();
        access.set("another");
        Awaitility.await().until(() -> page.ended);
    }

    @Test
    void aFailureIsForgottenWithTheNextTick() {
        start(TICK);
        Reading page = new Reading();
        messages.broken = true;
        feed.stream(null).open(page);
        Awaitility.await().until(() -> messages.times("buckets") + messages.times("instances") > 3);
        messages.broken = false;
        Awaitility.await().until(() -> page.text().contains("buckets"));
    }

    @Test
    void closingItEndsTheStreams() {
        start(NEVER);
        Reading page = new Reading();
        feed.stream(null).open(page);
        Awaitility.await().until(() -> page.text().contains("buckets"));
        feed.close();
        Awaitility.await().until(() -> page.ended);
    }
}
