package dev.comporta.proxy.relay;

import dev.comporta.proxy.session.SessionState;

/**
 * What is known of the session behind a server connection, and whether that is all. Starts as a login leaves it.
 * Confined to its bucket's loop.
 */
final class SessionKnowledge {
    /** From the best to the worst. SQL Server's reset mends the second, a reset with all settings that one and the third, nothing the others. */
    private enum Certainty {
        /** Since the login or the last reset only requests ran that are proven to leave nothing but {@link #state}. */
        PROVEN,
        /** Something ran that may have left more: triggers and procedures leave what no text shows. */
        UNPROVEN,
        /** The settings themselves may be others, the isolation level too, which a reset leaves alone. */
        SETTINGS_UNKNOWN,
        /** No reset makes it good for another client. */
        SPENT,
        /** The same, and nobody knows what it is in: its client must keep it. */
        LOST
    }

    private SessionState state = SessionState.AS_LOGGED_IN;
    private Certainty certainty = Certainty.PROVEN;

    SessionState state() {
        return state;
    }

    void state(SessionState known) {
        state = known;
    }

    boolean isProven() {
        return certainty == Certainty.PROVEN;
    }

    boolean isSpent() {
        return certainty.compareTo(Certainty.SPENT) >= 0;
    }

    boolean isLost() {
        return certainty == Certainty.LOST;
    }

    /** Whether a reset alone leaves the session as a login does. */
    boolean isResetEnough(ServerHabits habits) {
        Certainty least = habits.resetsAll() ? Certainty.UNPROVEN : Certainty.PROVEN;
        return certainty.compareTo(least) <= 0
                && state.isolationIsDefault()
                && state.database().isEmpty();
    }

    /** A request ran that is not proven to leave nothing. */
    void doubt() {
        worsen(Certainty.UNPROVEN);
    }

    /** A request ran of which nobody knows what it has set. */
    void doubtSettings() {
        worsen(Certainty.SETTINGS_UNKNOWN);
    }

    void spend() {
        worsen(Certainty.SPENT);
    }

    void lose() {
        worsen(Certainty.LOST);
    }

    private void worsen(Certainty to) {
        if (certainty.compareTo(to) < 0) {
            certainty = to;
        }
    }

    /** A reset was sent. Some versions put the isolation level back and some don't: what it is now is not known. */
    void reset(ServerHabits habits) {
        SessionState before = state;
        state = habits.resetsAll() ? before.afterReset() : before.afterReset().inDatabase(before.database());
        if (certainty == Certainty.UNPROVEN && habits.resetsAll()) {
            certainty = Certainty.PROVEN;
        }
        if (!state.isolationIsDefault()) {
            doubt();
        }
    }

    /** A reset was acknowledged, and so were the settings of this state, the isolation level among them. */
    void broughtInto(SessionState known) {
        state = known;
        if (!isSpent()) {
            certainty = Certainty.PROVEN;
        }
    }
}
