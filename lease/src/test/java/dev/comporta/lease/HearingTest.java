package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HearingTest {
    private final Hearing hearing = new Hearing();

    @Test
    void whoAnsweredAnotherCallMeanwhileIsSlowAndNotDeaf() {
        long sentAt = System.nanoTime();
        hearing.heard();
        assertThat(hearing.isDeafSince(sentAt)).isFalse();
    }

    @Test
    void ofCallsThatWereSentTogetherOneLearnsOfIt() {
        long sentAt = System.nanoTime();
        assertThat(hearing.isDeafSince(sentAt)).isTrue();
        assertThat(hearing.isDeafSince(sentAt)).isFalse();
        assertThat(hearing.isDeafSince(System.nanoTime()))
                .as("and on a new connection again")
                .isTrue();
    }
}
