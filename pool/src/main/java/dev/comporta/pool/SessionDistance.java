package dev.comporta.pool;

import org.jspecify.annotations.Nullable;

/** How far a connection's session state is from the one a client wants. Called on the hot path: cheap, and no allocation. */
@FunctionalInterface
public interface SessionDistance {
    /** States that are equal are 0 apart, all others 1. Equal references are never asked about. */
    SessionDistance EQUAL_OR_NOT = (wanted, present) -> wanted != null && wanted.equals(present) ? 0 : 1;

    /** 0 when nothing would have to be applied; the more there is to apply, the larger. Never negative. */
    int between(@Nullable Object wanted, @Nullable Object present);
}
