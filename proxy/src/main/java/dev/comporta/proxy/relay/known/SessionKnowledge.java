package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.session.SessionState;

/**
 * What is known of the session behind a server connection, and whether that is all. Starts as a login leaves it.
 * Confined to its bucket's loop.
 */
public final class SessionKnowledge {
    /**
     * From the best to the worst. SQL Server's reset makes UNPROVEN good again; a reset followed by all settings makes
     * SETTINGS_UNKNOWN good, too; nothing does so for the others.
     */
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

    /** The session context and CONTEXT_INFO, which not every server's reset clears. */
    private enum ContextLeft {
        EMPTY,
        /** Something ran that may have set one of them. */
        UNKNOWN,
        SET
    }

    private final String loginDatabase;
    private ServerMake make = ServerMake.OTHER;
    private ServerHabits habits = ServerHabits.ASKED_ALWAYS;
    private SessionState state = SessionState.AS_LOGGED_IN;
    private Certainty certainty = Certainty.PROVEN;
    private ContextLeft context = ContextLeft.EMPTY;
    /** Whether implicit transactions may be on, whatever {@link #state} says: a server's reset need not turn them off. */
    private boolean implicitDoubted;

    private final ServerHandles handles = new ServerHandles();

    /** @param loginDatabase the one that the login has led to */
    public SessionKnowledge(String loginDatabase) {
        this.loginDatabase = loginDatabase;
    }

    /** What the server was seen to do. */
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

    /** What clients have prepared in it. */
    public ServerHandles handles() {
        return handles;
    }

    public boolean isSqlServer() {
        return make == ServerMake.SQL_SERVER;
    }

    /** Whether nothing but its {@link #state} can have been left in it since the last reset. */
    public boolean isProven() {
        return certainty == Certainty.PROVEN;
    }

    /** Whether it serves nobody but the client that has it. */
    public boolean isSpent() {
        return certainty.compareTo(Certainty.SPENT) >= 0 || context == ContextLeft.SET;
    }

    public boolean isLost() {
        return certainty == Certainty.LOST;
    }

    /** Whether a reset alone leaves the session as a login does. */
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

    /** Whether it may hold a session context or CONTEXT_INFO that no reset clears: nobody else may have it before it is asked. */
    public boolean mayHoldContext() {
        return context == ContextLeft.UNKNOWN && !isSpent() && make == ServerMake.OTHER && !habits.resetsAll();
    }

    /** Whether the server was asked, and has not shown that neither is set. */
    public boolean isContextSet() {
        return context == ContextLeft.SET;
    }

    public void contextIsEmpty() {
        context = ContextLeft.EMPTY;
    }

    public void contextIsSet() {
        context = ContextLeft.SET;
    }

    /** A request ran of which nobody knows what it has set. */
    public void doubtSettings() {
        worsen(Certainty.SETTINGS_UNKNOWN);
    }

    /** A request may have turned implicit transactions on, and what it set can't be told from it. */
    public void doubtImplicit() {
        implicitDoubted = true;
    }

    /**
     * Whether a statement that reads or writes may begin a transaction.
     *
     * @param settings of the client
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

    /** A reset was sent. Some versions put the isolation level back and some don't: what it is now is not known. */
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

    /** What brings the session, behind a reset, into this state: where the reset may not put all back, the rest is named. */
    public String sqlAfterReset(SessionState wanted) {
        return switch (habits) {
            case TELLS -> wanted.toSql();
            // Babelfish's reset leaves the database, and implicit transactions on after SET ANSI_DEFAULTS.
            case ASKED -> wanted.toSql(loginDatabase, true);
            case ASKED_ALWAYS -> wanted.toSql(loginDatabase, false);
        };
    }

    /** A reset was acknowledged, and so were the settings of this state, the isolation level among them. */
    public void broughtInto(SessionState known) {
        state = known;
        implicitDoubted = false;
        if (!isSpent()) {
            certainty = Certainty.PROVEN;
        }
    }
}
