package dev.comporta.e2e.sessions;

import dev.comporta.standin.engine.ServerHabits;

/**
 * Where sessions are played.
 *
 * @param mode {@code pool_mode}
 * @param limit {@code max_connections}
 */
record PlaceSettings(ServerHabits habits, String mode, boolean pinIdentity, int limit) {
    private static final int LIMIT = 5;

    static final PlaceSettings SHARED = new PlaceSettings(ServerHabits.SQL_SERVER, "transaction", false, LIMIT);

    static final PlaceSettings SHARED_KEEPING_RESULTS =
            new PlaceSettings(ServerHabits.SQL_SERVER, "transaction", true, LIMIT);

    static final PlaceSettings SHARED_BABELFISH =
            new PlaceSettings(ServerHabits.BABELFISH, "transaction", false, LIMIT);

    static final PlaceSettings SESSION_MODE = new PlaceSettings(ServerHabits.SQL_SERVER, "session", false, LIMIT);

    /** Whether what a request leaves for the next one is promised. */
    boolean keepsResults() {
        return pinIdentity || mode.equals("session");
    }

    PlaceSettings withLimit(int other) {
        return new PlaceSettings(habits, mode, pinIdentity, other);
    }

    ScriptMaker maker(long seed) {
        return new ScriptMaker(seed, habits, keepsResults());
    }
}
