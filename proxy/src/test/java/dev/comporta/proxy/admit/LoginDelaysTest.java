package dev.comporta.proxy.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginDelaysTest {
    private final LoginDelays delays = new LoginDelays();
    private long now = 1;
    private int addresses;

    private void fail(String user, int times) {
        for (int i = 0; i < times; i++) {
            delays.failed(user, "address " + addresses++, now);
        }
    }

    private Duration of(String user, Object address) {
        return Duration.ofNanos(delays.of(user, address, now));
    }

    @Test
    void whoHasNotFailedDoesNotWait() {
        fail("eve", 3);
        assertThat(of("ana", "here")).isZero();
    }

    @Test
    void userWaitsTwiceAsLongAfterEachFailureUpToTheLongest() {
        int[] millis = {250, 500, 1000, 2000, 4000, 4000, 4000};
        for (int expected : millis) {
            fail("ana", 1);
            assertThat(of("ana", "here")).hasMillis(expected);
        }
    }

    @Test
    void userIsTheSameInWhateverCase() {
        fail("Ana", 1);
        assertThat(of("aNA", "here")).hasMillis(250);
    }

    @Test
    void addressWaitsAfterSomeFailuresOfWhomever() {
        for (int i = 0; i < LoginDelays.FREE_OF_ADDRESS; i++) {
            assertThat(of("somebody", "there")).isZero();
            delays.failed("guess " + i, "there", now);
        }
        delays.failed("another guess", "there", now);
        assertThat(of("somebody", "there")).hasMillis(250);
        assertThat(of("somebody", "here")).isZero();
        for (int i = 0; i < 100; i++) {
            delays.failed("guess again " + i, "there", now);
        }
        assertThat(of("somebody", "there")).hasMillis(4000);
    }

    @Test
    void failuresAreForgottenOneAfterTheOther() {
        fail("ana", 3);
        now += LoginDelays.FORGIVEN_NANOS;
        assertThat(of("ana", "here")).hasMillis(500);
        now += 2 * LoginDelays.FORGIVEN_NANOS;
        assertThat(of("ana", "here")).isZero();
    }

    @Test
    void goodLoginEndsTheUsersWait() {
        fail("ana", 3);
        delays.accepted("ana");
        assertThat(of("ana", "here")).isZero();
    }

    @Test
    void floodOfNamesMakesTheOldestForgotten() {
        fail("ana", 3);
        for (int i = 0; i < LoginDelays.MOST_REMEMBERED; i++) {
            delays.failed("guess " + i, "there", now);
        }
        assertThat(of("ana", "here")).isZero();
        assertThat(of("somebody", "there")).hasMillis(4000);
    }
}
