package dev.comporta.ops.watch;

import java.time.Duration;

/** Observes the instance. For any thread; may block, but never for longer than an HTTP client would wait. */
@FunctionalInterface
public interface Observer {
    Observation observe();

    /** Only {@link Observation#silence}, without waiting for anything. */
    default Duration silence() {
        return observe().silence();
    }
}
