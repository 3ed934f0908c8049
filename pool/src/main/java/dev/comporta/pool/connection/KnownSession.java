package dev.comporta.pool.connection;

import org.jspecify.annotations.Nullable;

/** What the pool knows about the session of a server connection. */
public final class KnownSession {
    /** The state it was in when it was last handed back, or the one after its login if it was reset since. */
    public @Nullable Object state;
    /** The state that its login left it in: every reset brings it back. */
    private @Nullable Object atLogin;
    /** Something ran since the last reset that may have left more than the state shows: locks, tables. */
    public boolean unclean;
    /** Whether the client that has it now is not the one that had it last. */
    public boolean changedHands;

    public void loggedIn(@Nullable Object loginState) {
        state = loginState;
        atLogin = loginState;
    }

    public void handedBack(@Nullable Object left, boolean clean) {
        state = left;
        unclean = !clean;
    }

    public void reset() {
        state = atLogin;
        unclean = false;
    }
}
