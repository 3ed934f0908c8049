package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.store.Announcement;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.suite.TestClock;
import dev.comporta.pool.lease.LeasedBucket;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectMeterTest {
    private static final int TOGETHER = 0;

    /** How often an answer has changed the due time. */
    private int moves;

    private final TestClock time = new TestClock();
    private final LeaseClock clock = time.forLeases();
    private final FakeStore store = new FakeStore();
    private final FakeBucket bucket = new FakeBucket();
    private final FleetLeases fleet = new FleetLeases(
            new LeaseSettings("a", Duration.ofSeconds(1), Duration.ofSeconds(9), true, 4), store, clock);
    private final ConnectMeter meter = new ConnectMeter(fleet, bucket, "orders", () -> moves++);

    /** Answers connects when it is told to. */
    private static final class FakeStore implements LeaseStore {
        final List<Duration> counts = new ArrayList<>();
        final List<Integer> wanted = new ArrayList<>();
        CompletableFuture<ConnectPermits> answer = new CompletableFuture<>();

        @Override
        public CompletionStage<ConnectPermits> connects(
                String bucket, int connects, ConnectRateSettings rate, Duration countsFor) {
            counts.add(countsFor);
            wanted.add(connects);
            answer = new CompletableFuture<>();
            return answer;
        }

        @Override
        public CompletionStage<LeaseReply> call(String bucket, LeaseCall call) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<LeaseReply> post(String bucket, LeaseCall call) {
            return new CompletableFuture<>();
        }

        @Override
        public void sendPosted() {}

        @Override
        public void listen(String bucket, Consumer<Announcement> listener) {}

        @Override
        public void ignore(String bucket) {}

        @Override
        public boolean isConnecting() {
            return false;
        }

        @Override
        public String explain(Throwable failure) {
            return "";
        }

        @Override
        public void close() {}
    }

    private static final class FakeBucket implements LeasedBucket {
        int allowed;

        @Override
        public void connectsAllowed(int connects) {
            allowed += connects;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public BucketSettings settings() {
            return BucketSettings.DEFAULTS
                    .but()
                    .connectRate(new ConnectRateSettings(10, 5))
                    .build();
        }

        @Override
        public int idleSince(long since) {
            return 0;
        }

        @Override
        public void limitRaised(int limit) {}

        @Override
        public void granted(int slots) {}

        @Override
        public void queued(int slots) {}

        @Override
        public void denied(int slots) {}

        @Override
        public void withdrawn(int slots) {}

        @Override
        public void revoked(int slots) {}

        @Override
        public void demanded(int slots) {}
    }

    ConnectMeterTest() {
        time.stop();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private void pump(int share) {
        meter.pump(share, clock.now());
    }

    private void pass(int millis) {
        time.pass(Duration.ofMillis(millis));
    }

    /** The store decided as soon as it was asked, and its answer took so long. */
    private void answerAfter(int millis, int granted) {
        pass(millis);
        store.answer.complete(
                new ConnectPermits(granted, 100, Duration.ofMillis(millis).toNanos()));
    }

    private Duration timeToUse() {
        return store.counts.getLast().minus(Duration.ofMillis(1050));
    }

    @Test
    void permitsCountForASecondAfterTheirLatestUse() {
        meter.want(2);
        pump(TOGETHER);
        assertThat(timeToUse()).isEqualTo(Duration.ofMillis(100));
        answerAfter(100, 2);
        assertThat(bucket.allowed).isEqualTo(2);
        assertThat(meter.dueAt()).isEqualTo(CallPacing.NOT_DUE);
    }

    @Test
    void permitsThatComeTooLateLapseAndAreAskedForWithMoreTime() {
        meter.want(2);
        pump(TOGETHER);
        answerAfter(101, 2);
        assertThat(bucket.allowed).isZero();
        assertThat(meter.dueAt()).as("asks anew at once").isEqualTo(clock.now());
        pump(TOGETHER);
        assertThat(timeToUse()).isEqualTo(Duration.ofMillis(202));
        answerAfter(101, 2);
        assertThat(bucket.allowed).isEqualTo(2);
    }

    @Test
    void timeOfAnAnswerThatWasDecidedLongAfterTheAskCountsFromTheDecision() {
        meter.want(1);
        pump(TOGETHER);
        pass(5000);
        store.answer.complete(new ConnectPermits(1, 1, Duration.ofMillis(3).toNanos()));
        assertThat(bucket.allowed).isEqualTo(1);
    }

    @Test
    void timeToUseShrinksWhileAnswersAreQuick() {
        for (int i = 0; i < 50; i++) {
            meter.want(1);
            pump(TOGETHER);
            answerAfter(1, 1);
        }
        assertThat(timeToUse()).isEqualTo(Duration.ofMillis(20));
        assertThat(bucket.allowed).isEqualTo(50);
    }

    @Test
    void withoutTheStoreItsShareOfTheRateCountsAtATime() {
        meter.want(100);
        for (int millis = 0; millis < 10_500; millis++) {
            pump(4); // two and a half a second: two
            pass(1);
        }
        assertThat(bucket.allowed).isEqualTo(20);
    }

    @Test
    void ofARateBelowTheNumberOfInstancesOneNowAndThen() {
        meter.want(100);
        for (int millis = 0; millis < 21_000; millis++) {
            pump(20);
            pass(1);
        }
        assertThat(bucket.allowed).isEqualTo(10);
    }

    @Test
    void whatTheStoreMayHaveGrantedCountsWhenItIsAway() {
        meter.want(2);
        pump(TOGETHER);
        answerAfter(1, 1);
        pass(100);
        pump(4);
        assertThat(bucket.allowed).isEqualTo(1);
        pass(949);
        pump(4);
        assertThat(bucket.allowed).isEqualTo(1);
        pass(1);
        pump(4);
        assertThat(bucket.allowed).isEqualTo(2);
    }

    @Test
    void whatWasPermittedWithoutTheStoreCountsWhenItIsBack() {
        meter.want(2);
        pump(4);
        assertThat(bucket.allowed).isEqualTo(1);
        pass(600);
        pump(TOGETHER);
        assertThat(store.counts).isEmpty();
        pass(450);
        pump(TOGETHER);
        assertThat(store.counts).hasSize(1);
    }

    @Test
    void oneCallAsksForAllThatWaitAndTheNextForThoseThatCameMeanwhile() {
        meter.want(2);
        meter.want(3);
        pump(TOGETHER);
        assertThat(store.wanted).containsExactly(5);
        meter.want(1);
        assertThat(meter.dueAt()).as("while a call is in flight").isEqualTo(CallPacing.NOT_DUE);
        pump(TOGETHER);
        assertThat(store.wanted).hasSize(1);
        answerAfter(1, 5);
        assertThat(bucket.allowed).isEqualTo(5);
        assertThat(moves).isEqualTo(1);
        assertThat(meter.dueAt())
                .as("what came meanwhile")
                .isEqualTo(clock.now() + Duration.ofMillis(100).toNanos());
        pass(100);
        pump(TOGETHER);
        assertThat(store.wanted).containsExactly(5, 1);
    }

    @Test
    void whatIsNotGrantedIsAskedForWhenTheStoreSaid() {
        meter.want(5);
        pump(TOGETHER);
        answerAfter(1, 2);
        assertThat(bucket.allowed).isEqualTo(2);
        assertThat(meter.dueAt()).isEqualTo(clock.now() + Duration.ofMillis(100).toNanos());
        pass(99);
        pump(TOGETHER);
        assertThat(store.wanted).containsExactly(5);
        pass(1);
        pump(TOGETHER);
        assertThat(store.wanted).containsExactly(5, 3);
    }

    @Test
    void noMoreAreAllowedThanWait() {
        meter.want(2);
        pump(TOGETHER);
        answerAfter(1, 7);
        assertThat(bucket.allowed).isEqualTo(2);
        assertThat(meter.dueAt()).isEqualTo(CallPacing.NOT_DUE);
    }

    @Test
    void aCallThatFailedIsMadeAgainAfterATenthOfASecond() {
        meter.want(2);
        pump(TOGETHER);
        store.answer.completeExceptionally(new IllegalStateException("away"));
        assertThat(bucket.allowed).isZero();
        assertThat(moves).isEqualTo(1);
        assertThat(meter.dueAt()).isEqualTo(clock.now() + Duration.ofMillis(100).toNanos());
        pass(99);
        pump(TOGETHER);
        assertThat(store.wanted).hasSize(1);
        pass(1);
        pump(TOGETHER);
        assertThat(store.wanted).containsExactly(2, 2);
    }

    @Test
    void timeToUseIsTwiceWhatAnAnswerTookAndNoLongerThanACallMayTake() {
        meter.want(1);
        pump(TOGETHER);
        answerAfter(90, 0);
        pass(100);
        pump(TOGETHER);
        assertThat(timeToUse()).as("after an answer in time").isEqualTo(Duration.ofMillis(180));
        answerAfter(2900, 1);
        pump(TOGETHER);
        assertThat(timeToUse()).as("after a late one").isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void nothingIsAskedForWhileNobodyWaits() {
        assertThat(meter.dueAt()).isEqualTo(CallPacing.NOT_DUE);
        pump(TOGETHER);
        pump(4);
        assertThat(store.wanted).isEmpty();
        assertThat(bucket.allowed).isZero();
    }
}
