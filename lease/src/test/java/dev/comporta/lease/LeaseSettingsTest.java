package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseSettingsTest {
    private static final RedisEndpoint REDIS = RedisEndpoint.standalone("127.0.0.1", 6379)
            .withDialTimeout(Duration.ofSeconds(5))
            .withCommandTimeout(Duration.ofSeconds(3));

    private static LeaseSettings settings(Duration timeToLive) {
        return new LeaseSettings("a", REDIS, timeToLive.dividedBy(2).minusMillis(1), timeToLive, true, 3);
    }

    @Test
    void redisIsWaitedForNoLongerThanAThirdOfALease() {
        RedisEndpoint redis = settings(Duration.ofSeconds(6)).redis();
        assertThat(redis.dialTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(redis.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings(Duration.ofSeconds(30)).redis()).isEqualTo(REDIS);
    }

    @Test
    void aCallThatIsNotAnsweredHasFailedBeforeTheLeaseIsOver() {
        LeaseSettings settings = settings(Duration.ofSeconds(3));
        long known = settings.heartbeatInterval()
                .plus(settings.redis().commandTimeout())
                .toNanos();
        assertThat(known).isLessThan(settings.terms().validFor());
    }
}
