package dev.comporta.e2e.sessions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shortest session, and the fewest beside it, that still show a difference. Which session gets which connection is
 * the machine's choice: so each candidate is played several times before it is believed to be right.
 */
final class Shrinker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int FIRST_TRIES = 40;
    private static final int LEAST_TRIES = 8;

    private final Place place;
    private final long deadline = System.nanoTime() + PATIENCE.toNanos();
    private int tries = FIRST_TRIES;
    private @Nullable Difference last;

    /** With one server connection, so that a single companion is enough to change hands with. */
    Shrinker(PlaceSettings settings) throws IOException {
        place = Place.open(settings.withLimit(1));
    }

    /**
     * @param companions those that were played at the same time
     * @return what to tell of it
     */
    String shrink(Difference found, List<Script> companions) {
        if (!differs(found.script(), companions)) {
            return "It did not show again in " + FIRST_TRIES + " tries.\n" + found;
        }
        Script[] script = {found.script()};
        List<Script> beside = fewest(companions, fewer -> differs(script[0], fewer));
        script[0] = script[0].with(fewest(script[0].units(), fewer -> differs(script[0].with(fewer), beside)));
        List<Script> shorter = new ArrayList<>(beside);
        for (int i = 0; i < shorter.size(); i++) {
            int at = i;
            Script whole = shorter.get(i);
            shorter.set(i, whole.with(fewest(whole.units(), fewer -> {
                List<Script> candidate = new ArrayList<>(shorter);
                candidate.set(at, whole.with(fewer));
                return differs(script[0], candidate);
            })));
        }
        shorter.removeIf(companion -> companion.units().isEmpty());
        StringBuilder told = new StringBuilder(String.valueOf(last));
        told.append("\nbeside, again and again:");
        shorter.forEach(companion -> told.append("\n  ").append(companion));
        return told.toString();
    }

    /** The list without whatever can be left out. */
    static <T> List<T> fewest(List<T> all, Predicate<List<T>> stillDiffers) {
        List<T> needed = new ArrayList<>(all);
        for (int chunk = Math.max(1, needed.size()); chunk > 0; chunk /= 2) {
            for (int from = needed.size() - 1 - (needed.size() - 1) % chunk; from >= 0; from -= chunk) {
                List<T> fewer = new ArrayList<>(needed);
                fewer.subList(from, Math.min(from + chunk, needed.size())).clear();
                if (stillDiffers.test(fewer)) {
                    needed = fewer;
                }
            }
        }
        return needed;
    }

    private boolean differs(Script script, List<Script> companions) {
        if (System.nanoTime() > deadline || script.units().isEmpty()) {
            return false;
        }
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                companions.forEach(companion -> threads.execute(() -> {
                    while (!over.get()) {
                        place.proxied().play(companion);
                    }
                }));
                for (int i = 1; i <= tries; i++) {
                    place.forget(script.client());
                    Difference difference = Difference.between(
                            script, place.direct().play(script), place.proxied().play(script));
                    if (difference != null) {
                        last = difference;
                        tries = Math.max(LEAST_TRIES, Math.min(tries, 4 * i));
                        return true;
                    }
                }
                return false;
            } finally {
                over.set(true);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        place.close();
    }
}
