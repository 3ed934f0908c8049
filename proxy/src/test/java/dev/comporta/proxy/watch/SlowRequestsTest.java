package dev.comporta.proxy.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlowRequestsTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final RelayCounters counters = new RelayCounters();
    private final SlowRequests slow = new SlowRequests("one", new Listener(), counters);

    @Test
    void aFloodIsToldInPartAndTheRestCounted() {
        int told = 0;
        for (int ms = 0; ms < 999; ms++) {
            told += slow.mustTell(5 * MILLI, ms * MILLI) ? 1 : 0;
        }
        assertThat(told).isEqualTo(SlowRequests.MOST_PER_SECOND);
        assertThat(counters.slowRequests).isEqualTo(999);
        assertThat(slow.mustTell(5 * MILLI, 1000 * MILLI)).isTrue();
        assertThat(slow.takeUntold()).isEqualTo(999 - SlowRequests.MOST_PER_SECOND);
        assertThat(slow.takeUntold()).isZero();
    }

    @Test
    void whatIsFasterIsNeitherToldNorCounted() {
        assertThat(slow.mustTell(5 * MILLI - 1, 0)).isFalse();
        assertThat(counters.slowRequests).isZero();
    }

    @Test
    void nobodyWantsToKnowUnlessAskedTo() {
        assertThat(new SlowRequests("one", News.NONE, counters).isWanted()).isFalse();
        assertThat(slow.isWanted()).isTrue();
    }

    private static final class Listener implements News {
        @Override
        public long slowRequestNanos() {
            return 5 * MILLI;
        }
    }
}
