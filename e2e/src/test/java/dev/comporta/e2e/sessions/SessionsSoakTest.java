package dev.comporta.e2e.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random sessions for as long as one likes: {@code ./comporta soak sessions}. */
@Tag("soak")
class SessionsSoakTest {
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("comporta.soak.seconds", 60));

    /** More would let the tables grow, and with them the time that a session takes. */
    private static final int SESSIONS_IN_A_ROUND = 4_000;

    private static final List<PlaceSettings> PLACES = List.of(
            PlaceSettings.SHARED,
            PlaceSettings.SHARED_BABELFISH,
            PlaceSettings.SHARED,
            PlaceSettings.SHARED_KEEPING_RESULTS,
            PlaceSettings.SHARED,
            PlaceSettings.SESSION_MODE);

    @Test
    @Timeout(86_400)
    void everySessionIsAnsweredAsOnAConnectionOfItsOwn() throws Exception {
        long first = Long.getLong("comporta.seed", System.nanoTime() & 0xFFFF_FFFFL);
        long until = System.nanoTime() + TIME.toNanos();
        int sessions = 0;
        for (int round = 0; System.nanoTime() < until; round++) {
            // The seed that is told of a round is the first one of a run that begins with it.
            PlaceSettings settings = PLACES.get((int) ((first + round) % PLACES.size()));
            sessions += Rounds.play(settings, first + round, SESSIONS_IN_A_ROUND, () -> System.nanoTime() < until);
        }
        System.out.printf("%,d sessions%n", sessions);
        assertThat(sessions).isPositive();
    }
}
