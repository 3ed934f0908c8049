package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.session.SessionState;

/**
 * What is known of the session behind a server connection, and how certainly; at first the state after the login. Confined to its
 * bucket's loop.
 */
public final class SessionKnowledge {
    /**
     * From best to worst. SQL Server's reset turns UNPROVEN into PROVEN; a reset followed by all settings does so for
     * SETTINGS_UNKNOWN, too; nothing does for the others.
     */
    private enum Certainty {
        /** Since the login or the last reset, only requests ran that are proven to leave nothing but {@link #state}. */
        PROVEN,
        /** A request ran that may have left more: triggers and procedures leave what no text shows. */
        UNPROVEN,
        /** The settings themselves may differ, including the isolation level, which a reset leaves as it is. */
        SETTINGS_UNKNOWN,
        /** No reset makes it fit for another client. */
        SPENT,
        /** The same, and its state is unknown: its client must keep it. */
        LOST
    }

    /** The session context and CONTEXT_INFO, which not every server's reset clears. */
    private enum ContextLeft {
        EMPTY,
        /** A request ran that may have set one of them. */
        UNKNOWN,
        SET
    }

    private final String loginDatabase;
    private ServerMake make = ServerMake.OTHER;
    private ServerHabits habits = ServerHabits.ASKED_ALWAYS;
    private SessionState state = SessionState.AS_LOGGED_IN;
    private Certainty certainty = Certainty.PROVEN;
    private ContextLeft context = ContextLeft.EMPTY;
    /** Whether implicit transactions may be on, whatever {@link #state} says: not every server's reset turns them off. */
    private boolean implicitDoubted;

    private final ServerHandles handles = new ServerHandles();

    /** @param loginDatabase the database after the login */
    public SessionKnowledge(String loginDatabase) {
        this.loginDatabase = loginDatabase;
    }

    /** The habits of the server on this connection. */
    public ServerHabits habits() {
        return habits;
    }

    public void habits(ServerHabits seen) {
        habits = seen;
    }

    public void make(ServerMake said) {
        make = said;
        if (said != ServerMake.SQL_SERVER) {
            handles.keepsOld();
        }
    }

    public SessionState state() {
        return state;
    }

    public void state(SessionState known) {
        state = known;
    }

    /** The handles that clients have prepared in it. */
    public ServerHandles handles() {
        return handles;
    }

    public boolean isSqlServer() {
        return make == ServerMake.SQL_SERVER;
    }

    /** Whether nothing but its {@link #state} can remain from requests since the last reset. */
    public boolean isProven() {
        return certainty == Certainty.PROVEN;
    }

    /** Whether it can't serve another client than the one that has it. */
    public boolean isSpent() {
        return certainty.compareTo(Certainty.SPENT) >= 0 || context == ContextLeft.SET;
    }

    public boolean isLost() {
        return certainty == Certainty.LOST;
    }

    /** Whether a reset alone restores the state after the login. */
    public boolean isResetEnough() {
        Certainty least = habits.resetsAll() ? Certainty.UNPROVEN : Certainty.PROVEN;
        return certainty.compareTo(least) <= 0
                && (habits.resetsAll() || !state.implicitTransactionsMayBeOn())
                && state.isolationIsDefault()
                && state.database().isEmpty();
    }

    /** A request ran that is not proven to leave nothing. */
    public void doubt() {
        worsen(Certainty.UNPROVEN);
        if (context == ContextLeft.EMPTY) {
            context = ContextLeft.UNKNOWN;
        }
    }

    /** Whether a session context or CONTEXT_INFO may be left that no reset clears: the server must be asked before it is shared. */
    public boolean mayHoldContext() {
        return context == ContextLeft.UNKNOWN && !isSpent() && make == ServerMake.OTHER && !habits.resetsAll();
    }

    /** Whether the server was asked, and its answer did not prove that neither is set. */
    public boolean isContextSet() {
        return context == ContextLeft.SET;
    }

    public void contextIsEmpty() {
        context = ContextLeft.EMPTY;
    }

    public void contextIsSet() {
        context = ContextLeft.SET;
    }

    /** A request ran whose effect on the settings is unknown. */
    public void doubtSettings() {
        worsen(Certainty.SETTINGS_UNKNOWN);
    }

    /** A request may have turned implicit transactions on, and its text does not show whether. */
    public void doubtImplicit() {
        implicitDoubted = true;
    }

    /**
     * Whether a statement that reads or writes may begin a transaction.
     *
     * @param settings the client's settings
     */
    public boolean mayBeImplicit(SessionState settings) {
        return implicitDoubted || settings.implicitTransactionsMayBeOn();
    }

    public void spend() {
        worsen(Certainty.SPENT);
    }

    public void lose() {
        worsen(Certainty.LOST);
    }

    private void worsen(Certainty to) {
        if (certainty.compareTo(to) < 0) {
            certainty = to;
        }
    }

    /** A reset was sent. Some versions restore the isolation level and some don't, so it is unknown now. */
    public void reset() {
        handles.clear();
        SessionState before = state;
        state = habits.resetsAll() ? before.afterReset() : before.afterReset().inDatabase(before.database());
        if (certainty == Certainty.UNPROVEN && habits.resetsAll()) {
            certainty = Certainty.PROVEN;
        }
        if (!state.isolationIsDefault()) {
            worsen(Certainty.UNPROVEN);
        }
        if (before.implicitTransactionsMayBeOn() && !habits.resetsAll()) {
            doubtImplicit();
            worsen(Certainty.UNPROVEN);
        }
    }

    /** The batch that brings the session into this state after a reset, including what the reset may not restore. */
    public String sqlAfterReset(SessionState wanted) {
        return switch (habits) {
            case TELLS -> wanted.toSql();
            // Babelfish's reset leaves the database, and implicit transactions on after SET ANSI_DEFAULTS.
            case ASKED -> wanted.toSql(loginDatabase, true);
            case ASKED_ALWAYS -> wanted.toSql(loginDatabase, false);
        };
    }

    /** A reset was acknowledged, and so was the batch with all settings of this state, including the isolation level. */
    public void broughtInto(SessionState known) {
        state = known;
        implicitDoubted = false;
        if (!isSpent()) {
            certainty = Certainty.PROVEN;
        }
    }
}
