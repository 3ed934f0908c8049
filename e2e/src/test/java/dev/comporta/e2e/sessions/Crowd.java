package dev.comporta.e2e.sessions;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Plays sessions, so many at a time, each directly and then through the proxy among the others. */
final class Crowd {
    /** The session, and 50 others. */
    static final int SIZE = 51;

    private static final int PATIENCE_SECONDS = 300;

    private final Place place;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger played = new AtomicInteger();
    private final AtomicLong requests = new AtomicLong();
    private final Queue<Difference> differences = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();

    Crowd(Place place) {
        this.place = place;
    }

    /** Plays scripts until there are no more of them, it is told to end, or one was answered differently. */
    void play(IntFunction<@Nullable Script> scripts, int size, BooleanSupplier goesOn) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < size; i++) {
                threads.execute(() -> playAll(scripts, goesOn));
            }
            threads.shutdown();
            if (!threads.awaitTermination(PATIENCE_SECONDS + 86_400, TimeUnit.SECONDS)) {
                throw new AssertionError("the sessions did not end");
            }
        }
        if (!broken.isEmpty()) {
            throw new AssertionError("a session could not be played", broken.peek());
        }
    }

    private void playAll(IntFunction<@Nullable Script> scripts, BooleanSupplier goesOn) {
        try {
            while (differences.isEmpty() && broken.isEmpty() && goesOn.getAsBoolean()) {
                Script script = scripts.apply(next.getAndIncrement());
                if (script == null) {
                    return;
                }
                play(script);
            }
        } catch (Throwable e) {
            broken.add(e);
        }
    }

    private void play(Script script) {
        List<List<String>> direct = place.direct().play(script);
        // What the server itself did not answer would be the same through a proxy that answers nothing.
        if (direct.getLast().stream().anyMatch(line -> line.startsWith(Player.NO_ANSWER))) {
            throw new AssertionError(script + "\ngot no answer directly: " + direct.getLast());
        }
        List<List<String>> proxied = place.proxied().play(script);
        played.incrementAndGet();
        requests.addAndGet(direct.size());
        Difference difference = Difference.between(script, direct, proxied);
        if (difference != null) {
            differences.add(difference);
        }
    }

    /** How many sessions were played to their end. */
    int sessions() {
        return played.get();
    }

    long requests() {
        return requests.get();
    }

    /** The first that was seen. */
    @Nullable
    Difference difference() {
        return differences.peek();
    }
}
