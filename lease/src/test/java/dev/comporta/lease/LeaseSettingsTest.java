package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseSettingsTest {
    @Test
    void aCallThatIsNotAnsweredHasFailedBeforeTheLeaseIsOver() {
        Duration timeToLive = Duration.ofSeconds(3);
        LeaseSettings settings = new LeaseSettings("a", timeToLive.dividedBy(2).minusMillis(1), timeToLive, true, 3);
        long known = settings.heartbeatInterval().plus(settings.longestCall()).toNanos();
        assertThat(known).isLessThan(settings.terms().validFor());
    }
}
