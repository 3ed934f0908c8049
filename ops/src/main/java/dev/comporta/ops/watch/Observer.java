package dev.comporta.ops.watch;

import java.time.Duration;

/** Looks at the instance. Any thread; may block for a moment, but never for longer than a caller of HTTP would wait. */
@FunctionalInterface
public interface Observer {
    Observation observe();

    /** {@link Observation#silence} alone, for which nobody is waited for. */
    default Duration silence() {
        return observe().silence();
    }
}
