package dev.comporta.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HearingTest {
    private long now = 5_000;
    private final Hearing hearing = new Hearing(() -> now);

    @Test
    void whoAnsweredAnotherCallMeanwhileIsSlowAndNotDeaf() {
        long sentAt = ++now;
        now++;
        hearing.heard();
        assertThat(hearing.isDeafSince(sentAt)).isFalse();
    }

    @Test
    void ofCallsThatWereSentTogetherOneLearnsOfIt() {
        long sentAt = ++now;
        now++;
        assertThat(hearing.isDeafSince(sentAt)).isTrue();
        assertThat(hearing.isDeafSince(sentAt)).isFalse();
        assertThat(hearing.isDeafSince(++now))
                .as("and on a new connection again")
                .isTrue();
    }
}
