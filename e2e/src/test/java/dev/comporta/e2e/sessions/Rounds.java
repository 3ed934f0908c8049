package dev.comporta.e2e.sessions;

import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Plays a number of sessions in one place, checks what is left of them, and shrinks what differs. */
final class Rounds {
    private Rounds() {}

    /** @return how many sessions were played */
    static int play(PlaceSettings settings, long seed, int sessions, BooleanSupplier goesOn) throws Exception {
        ScriptMaker maker = settings.maker(seed);
        Difference difference;
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        // A record of every touch of every buffer takes most of the time; other tests are there for leaks.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try (Place place = Place.open(settings)) {
            Crowd crowd = new Crowd(place);
            long begun = System.nanoTime();
            crowd.play(number -> number < sessions ? maker.make(number) : null, Crowd.SIZE, goesOn);
            System.out.printf(
                    "%s, seed %d: %,d sessions with %,d requests in %,d ms; %s%n",
                    settings,
                    seed,
                    crowd.sessions(),
                    crowd.requests(),
                    (System.nanoTime() - begun) / 1_000_000,
                    place.shared().counters());
            difference = crowd.difference();
            if (difference == null) {
                place.check();
                return crowd.sessions();
            }
        } finally {
            ResourceLeakDetector.setLevel(before);
        }
        throw new AssertionError(told(settings, maker, difference) + "\nAgain with -Dcomporta.seed=" + seed);
    }

    private static String told(PlaceSettings settings, ScriptMaker maker, Difference difference) throws IOException {
        int client = difference.script().client();
        List<Script> companions = new ArrayList<>();
        for (int other = Math.max(0, client - Crowd.SIZE / 2); companions.size() < Crowd.SIZE - 1; other++) {
            if (other != client) {
                companions.add(maker.make(other));
            }
        }
        try (Shrinker shrinker = new Shrinker(settings)) {
            return shrinker.shrink(difference, companions);
        }
    }
}
