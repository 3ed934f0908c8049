package dev.comporta.e2e.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ten thousand random sessions get the same answers, token by token, through the proxy and among fifty others on five server
 * connections as on a connection of their own.
 */
@Timeout(400)
class SessionsTest {
    private static final long SEED = Long.getLong("comporta.seed", 20_261_117L);

    @Test
    void sharedConnectionsAnswerAsOnesOwnDoes() throws Exception {
        play(PlaceSettings.SHARED, 7_000);
    }

    @Test
    void whatARequestLeavesForTheNextOneIsThereWithPinIdentity() throws Exception {
        play(PlaceSettings.SHARED_KEEPING_RESULTS, 1_000);
    }

    @Test
    void sharedConnectionsToABabelfishAnswerAsOnesOwnDoes() throws Exception {
        play(PlaceSettings.SHARED_BABELFISH, 1_000);
    }

    @Test
    void sessionModeAnswersAsAConnectionOfOnesOwnDoes() throws Exception {
        play(PlaceSettings.SESSION_MODE, 1_000);
    }

    private static void play(PlaceSettings settings, int sessions) throws Exception {
        int most = Integer.getInteger("sessions.most", sessions);
        assertThat(Rounds.play(settings, SEED, most, () -> true)).isEqualTo(most);
    }
}
