package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoanPaceTest {
    private static final long SHORT = 1_000;
    private static final long LONG = 1_000_000;

    private final LoanPace pace = new LoanPace();

    private void ended(int loans, long nanos) {
        for (int i = 0; i < loans; i++) {
            pace.ended(nanos);
        }
    }

    @Test
    void loansAreLongUntilSixteenShortOnesAreSeen() {
        assertThat(pace.isShort()).isFalse();
        ended(15, SHORT);
        assertThat(pace.isShort()).isFalse();
        ended(1, SHORT);
        assertThat(pace.isShort()).isTrue();
    }

    @Test
    void fourLongLoansInARowAreEnoughToBeLong() {
        ended(100, SHORT);
        ended(3, LONG);
        assertThat(pace.isShort()).isTrue();
        ended(1, LONG);
        assertThat(pace.isShort()).isFalse();
    }

    @Test
    void aLongLoanNowAndThenDoesNotMatter() {
        ended(16, SHORT);
        for (int i = 0; i < 100; i++) {
            ended(1, LONG);
            ended(5, SHORT);
            assertThat(pace.isShort()).isTrue();
        }
    }

    @Test
    void loansOfAMillisecondNeverCountAsShort() {
        for (int i = 0; i < 100; i++) {
            ended(3, SHORT);
            ended(1, LONG);
            assertThat(pace.isShort()).isFalse();
        }
    }
}
