package dev.comporta.pool.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeTry;

/** In virtual time: what a server sees whose connects arrive as they are permitted, or up to the margin later. */
class RateLimitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    /** The longest that a connect is under way to the server. */
    private static final long LATEST = 50 * MILLI;

    private RateLimit limit = new RateLimit();
    private List<Long> taken = new ArrayList<>();

    @BeforeTry
    void startAnew() {
        limit = new RateLimit();
        taken = new ArrayList<>();
    }

    private void take(int n, long now) {
        for (int i = 0; i < n; i++) {
            limit.take(now);
            taken.add(now);
        }
    }

    private static int mostWithinASecond(List<Long> arrivals) {
        ArrayDeque<Long> window = new ArrayDeque<>();
        int most = 0;
        for (long at : arrivals) {
            window.add(at);
            while (window.peek() <= at - SECOND) {
                window.poll();
            }
            most = Math.max(most, window.size());
        }
        return most;
    }

    @Property
    void noSecondHasMoreConnectsThanTheRate(
            @ForAll @IntRange(min = 1, max = 300) int rate,
            @ForAll @IntRange(min = 1, max = 400) int burst,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long now = random.nextLong(10 * SECOND);
        limit.configure(rate, burst, now);
        for (int i = 0; i < 500; i++) {
            now += pause(random);
            take(Math.min(random.nextInt(1, 20), limit.available(now)), now);
        }
        assertThat(mostWithinASecond(taken)).isLessThanOrEqualTo(rate);
        List<Long> arrivals = taken.stream()
                .map(at -> at + random.nextLong(LATEST + 1))
                .sorted()
                .toList();
        assertThat(mostWithinASecond(arrivals)).as("a little later").isLessThanOrEqualTo(rate);
    }

    /** Mostly no time at all; at times a quiet time after which the burst is there again. */
    private static long pause(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> 0;
            case 3, 4 -> random.nextLong(5 * MILLI);
            case 5, 6 -> random.nextLong(30 * MILLI);
            default -> random.nextLong(2 * SECOND);
        };
    }

    @Property(tries = 200)
    void nineTenthsOfTheRateAreUsedUnderConstantDemand(
            @ForAll @IntRange(min = 1, max = 1000) int rate, @ForAll @IntRange(min = 1, max = 200) int burst) {
        limit.configure(rate, burst, 0);
        long now = 0;
        while (now < 60 * SECOND) {
            take(limit.available(now), now);
            now = limit.whenAvailable(1);
        }
        assertThat(taken.size()).isGreaterThanOrEqualTo(60 * rate * 9 / 10);
    }

    @Property(tries = 200)
    void burstIsThereAtOnceAfterAQuietTime(
            @ForAll @IntRange(min = 1, max = 300) int rate,
            @ForAll @IntRange(min = 1, max = 400) int burst,
            @ForAll @IntRange(min = 1, max = 1000) int busyMillis) {
        limit.configure(rate, burst, 0);
        for (long now = 0; now < busyMillis * MILLI; now += MILLI) {
            take(limit.available(now), now);
        }
        long quiet = busyMillis * MILLI + (burst + 2L) * SECOND;
        assertThat(limit.available(quiet)).isEqualTo(Math.min(rate, burst));
    }

    @Property
    void deadlineIsNeitherEarlyNorLate(
            @ForAll @IntRange(min = 1, max = 300) int rate,
            @ForAll @IntRange(min = 1, max = 400) int burst,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long now = random.nextLong(10 * SECOND);
        limit.configure(rate, burst, now);
        for (int i = 0; i < 200; i++) {
            now += pause(random);
            take(Math.min(random.nextInt(1, 30), limit.available(now)), now);
            int wanted = limit.available(now) + random.nextInt(1, 5);
            int most = Math.min(rate, burst);
            long due = limit.whenAvailable(wanted);
            if (limit.available(now) < most) {
                wanted = Math.min(wanted, most);
                assertThat(due).isGreaterThan(now);
                long before = now + random.nextLong(due - now);
                assertThat(limit.available(before)).as("before").isLessThan(wanted);
                assertThat(limit.available(due - 1)).as("just before").isLessThan(wanted);
                now = due;
                assertThat(limit.available(now)).as("then").isGreaterThanOrEqualTo(wanted);
            } else {
                assertThat(due).isLessThanOrEqualTo(now);
            }
        }
    }

    @Property(tries = 200)
    void rateChangedAtAnyTimeHoldsFromThenOn(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long now = 0;
        for (int change = 0; change < 5; change++) {
            int rate = random.nextInt(1, 200);
            limit.configure(rate, random.nextInt(1, 100), now);
            for (int i = 0; i < 200; i++) {
                now += random.nextLong(20 * MILLI);
                int n = limit.available(now);
                take(n, now);
                long from = now - SECOND;
                long inLastSecond = taken.stream().filter(at -> at > from).count();
                assertThat(n == 0 || inLastSecond <= rate)
                        .as("%d at a rate of %d", inLastSecond, rate)
                        .isTrue();
            }
        }
    }
}
