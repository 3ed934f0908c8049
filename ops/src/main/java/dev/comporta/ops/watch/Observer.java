package dev.comporta.ops.watch;

/** Looks at the instance. Any thread; may block for a moment, but never for longer than a caller of HTTP would wait. */
@FunctionalInterface
public interface Observer {
    Observation observe();
}
