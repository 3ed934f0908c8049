package dev.comporta.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisEndpointTest {
    private static final RedisEndpoint REDIS = RedisEndpoint.standalone("127.0.0.1", 6379)
            .withDialTimeout(Duration.ofSeconds(5))
            .withCommandTimeout(Duration.ofSeconds(3));

    private static RedisEndpoint withLeasesOf(Duration timeToLive) {
        return RedisLeaseStore.within(
                new TestSettings("a", REDIS, Duration.ofSeconds(1), timeToLive, true, 3).lease(), REDIS);
    }

    @Test
    void redisIsWaitedForNoLongerThanAThirdOfALease() {
        RedisEndpoint redis = withLeasesOf(Duration.ofSeconds(6));
        assertThat(redis.dialTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(redis.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(withLeasesOf(Duration.ofSeconds(30))).isEqualTo(REDIS);
    }
}
