package dev.comporta.app.recent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BucketHistoryTest {
    private static final Instant BIRTH = Instant.parse("2026-01-15T10:00:00Z");
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private static final Occupancy OCCUPANCY = new Occupancy(9, 3, 2, 1, 4, 5, Map.of(PinReason.TRANSACTION, 1));

    private final Histogram wait = new Histogram();
    private final Histogram query = new Histogram();
    private long createdAt = 3 * SECOND;
    private long requests;
    private Failures failures = Failures.NONE;

    /** @param second since the bucket was added */
    private Sample sample(double second) {
        long nanos = (long) (second * SECOND);
        return new Sample(
                createdAt,
                createdAt + nanos,
                BIRTH.plusNanos(nanos),
                requests,
                wait.snapshot(),
                query.snapshot(),
                failures,
                OCCUPANCY);
    }

    private void served(int count, long waitMillis, long queryMillis) {
        for (int i = 0; i < count; i++) {
            wait.record(waitMillis * MILLI);
            query.record(queryMillis * MILLI);
        }
        requests += count;
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / (double) MILLI;
    }

    private static Offset<Double> aBucketOf(double millis) {
        return within(millis / 32);
    }

    @Test
    void aBucketThatNobodyLookedAtYetIsKnownSinceItWasAdded() {
        served(20, 0, 8);
        RecentFigures figures = new BucketHistory(sample(4)).figures(sample(4));
        assertThat(figures.requestsPerSecond()).isEqualTo(5);
        assertThat(millis(figures.queryP99())).isCloseTo(8, aBucketOf(8));
        assertThat(millis(figures.waitP99())).isZero();
    }

    @Test
    void percentilesAreOfTheLastMinuteAndTheRateIsOfTheLastTenSeconds() {
        served(1000, 500, 4000);
        BucketHistory history = new BucketHistory(sample(5));
        history.add(sample(5));
        for (int second = 10; second <= 70; second += 5) {
            served(50, 20, 40);
            history.add(sample(second));
        }
        served(10, 20, 40);
        RecentFigures figures = history.figures(sample(71));
        assertThat(millis(figures.queryP99())).isCloseTo(40, aBucketOf(40));
        assertThat(millis(figures.waitP50())).isCloseTo(20, aBucketOf(20));
        assertThat(figures.requestsPerSecond()).isCloseTo(110 / 11.0, within(0.001));

        history.add(sample(75));
        assertThat(history.figures(sample(90)).requestsPerSecond()).isZero();
    }

    @Test
    void aSlowMinuteIsForgottenAfterIt() {
        served(1000, 500, 4000);
        BucketHistory history = new BucketHistory(sample(5));
        history.add(sample(5));
        assertThat(millis(history.figures(sample(60)).queryP99())).isCloseTo(4000, aBucketOf(4000));
        RecentFigures later = history.figures(sample(66));
        assertThat(later.queryP99()).isNull();
        assertThat(later.waitP50()).isNull();
        assertThat(later.requestsPerSecond()).isZero();
    }

    @Test
    void aLookThatShowsNothingNewerAddsNoPoint() {
        BucketHistory history = new BucketHistory(sample(5));
        history.add(sample(5));
        served(5, 0, 1);
        history.add(sample(5));
        assertThat(history.points()).hasSize(1);
        assertThat(history.figures(sample(4)).requestsPerSecond()).isZero();
    }

    @Test
    void aBucketThatWasDroppedAndAddedAgainBeginsAnew() {
        served(1000, 500, 4000);
        BucketHistory history = new BucketHistory(sample(5));
        history.add(sample(5));
        BucketHistoryTest again = new BucketHistoryTest();
        again.createdAt = createdAt + 7 * SECOND;
        again.served(6, 0, 2);
        assertThat(history.figures(again.sample(2)).requestsPerSecond()).isEqualTo(3);
        history.add(again.sample(3));
        assertThat(history.points()).hasSize(1);
        assertThat(history.figures(again.sample(3)).requestsPerSecond()).isEqualTo(2);
    }

    @Test
    void aQuarterOfAnHourIsKeptAndEachPointIsOfItsOwnInterval() {
        served(1, 0, 1);
        BucketHistory history = new BucketHistory(sample(5));
        history.add(sample(5));
        for (int look = 2; look <= 2 * BucketHistory.POINTS; look++) {
            served(look % 2 == 0 ? 10 : 20, 0, look % 2 == 0 ? 3 : 30);
            history.add(sample(look * 5.0));
        }
        assertThat(history.points()).hasSize(BucketHistory.POINTS);
        Point last = history.points().getLast();
        assertThat(last.at()).isEqualTo(BIRTH.plusSeconds(2 * BucketHistory.POINTS * 5));
        assertThat(last.figures().requestsPerSecond()).isEqualTo(2);
        assertThat(millis(last.figures().queryP99())).isCloseTo(3, aBucketOf(3));
        assertThat(last.occupancy()).isEqualTo(OCCUPANCY);
        assertThat(Duration.between(history.points().getFirst().at(), last.at()))
                .isEqualTo(Duration.ofSeconds(895));
    }

    @Test
    void aPointHasTheFailuresSinceTheLookBefore() {
        failures = new Failures(3, 7);
        BucketHistory history = new BucketHistory(sample(5));
        history.add(sample(5));
        failures = new Failures(4, 7);
        history.add(sample(10));
        history.add(sample(15));
        assertThat(history.points())
                .extracting(Point::failures)
                .containsExactly(new Failures(3, 7), new Failures(1, 0), Failures.NONE);
    }
}
