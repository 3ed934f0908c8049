package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainPaceTest {
    private static final long BEGUN = Duration.ofHours(3).toNanos();

    @ParameterizedTest
    @CsvSource({
        // shutdown_timeout, elapsed, and what is asked of a client then; all in milliseconds
        "15000,     0, SILENCE,         3000",
        "15000,  3000, SILENCE,         2000",
        "15000,  6000, SILENCE,         1000",
        "15000,  8999, SILENCE,          750",
        "15000,  9000, TRANSACTION_END,  750",
        "15000, 13499, TRANSACTION_END,  750",
        "15000, 13500, ANSWER,           750",
        "15000, 20000, ANSWER,           750",
        "60000, 20000, SILENCE,         3000",
        " 5000,     0, SILENCE,         1000",
        "  300,     0, SILENCE,          750",
        "    0,     0, ANSWER,           750",
    })
    void clientsAreAskedForLessAsTheTimeRunsOut(long timeout, long elapsed, DrainPace.Moment moment, long silence) {
        DrainPace pace = DrainPace.of(Duration.ofMillis(timeout), BEGUN);
        long now = BEGUN + Duration.ofMillis(elapsed).toNanos();
        assertThat(pace.moment(now)).isEqualTo(moment);
        assertThat(Duration.ofNanos(pace.silence(now)).toMillis()).isEqualTo(silence);
    }
}
