package dev.comporta.e2e.sessions;

import dev.comporta.standin.engine.ServerHabits;

/**
 * Where sessions are played.
 *
 * @param mode {@code pool_mode}
 * @param limit {@code max_connections}
 */
record PlaceSettings(ServerHabits habits, String mode, boolean pinIdentity, int limit) {
    /** Whether what a request leaves for the next one is promised. */
    boolean keepsResults() {
        return pinIdentity || mode.equals("session");
    }

    ScriptMaker maker(long seed) {
        return new ScriptMaker(seed, habits, keepsResults());
    }
}
