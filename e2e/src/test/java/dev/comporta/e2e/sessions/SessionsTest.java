package dev.comporta.e2e.sessions;

import dev.comporta.standin.engine.ServerHabits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of random sessions get, through the proxy and among others, what each gets on a connection of its own. */
@Timeout(300)
class SessionsTest {
    private static final long SEED = Long.getLong("comporta.seed", 20_261_117L);
    private static final int SESSIONS = Integer.getInteger("sessions.count", 1000);

    @Test
    void transactionMode() throws Exception {
        play(new PlaceSettings(ServerHabits.SQL_SERVER, "transaction", false, 5), SESSIONS);
    }

    private static void play(PlaceSettings settings, int sessions) throws Exception {
        try (Place place = Place.open(settings)) {
            ScriptMaker maker = settings.maker(SEED);
            Crowd crowd = new Crowd(place);
            long begun = System.nanoTime();
            crowd.play(n -> n < sessions ? maker.make(n) : null, Crowd.SIZE, () -> true);
            System.out.printf(
                    "%s: %d sessions, %d requests, %d ms%n",
                    settings, crowd.sessions(), crowd.requests(), (System.nanoTime() - begun) / 1_000_000);
            if (crowd.difference() != null) {
                throw new AssertionError(crowd.difference().toString());
            }
            place.check();
        }
    }
}
