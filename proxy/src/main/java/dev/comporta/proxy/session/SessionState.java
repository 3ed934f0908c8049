package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SetOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a session that differ from those after its login: the database in use and SET options. Immutable; equal when a
 * client can't distinguish the sessions by them. Options that affect one another are kept as the sequence in which they were set:
 * see {@link SetHistory}. A state whose sequence became too long is unknown: its client must be pinned, and it equals no other.
 */
public final class SessionState {
    /** The state after the login. */
    public static final SessionState AS_LOGGED_IN =
            new SessionState("", new EnumMap<>(SetOption.class), SetHistory.NONE, SetHistory.NONE, false);

    /** The level of every new session. Kept as the absence of the option, so that setting it restores equality. */
    private static final String DEFAULT_ISOLATION = "READ COMMITTED";

    /** Empty for the login's database. */
    private final String database;

    /** The options that don't affect one another. */
    private final EnumMap<SetOption, String> options;

    private final SetHistory dates;
    private final SetHistory ansi;
    private final boolean unknown;
    private final int hash;

    private SessionState(
            String database, EnumMap<SetOption, String> options, SetHistory dates, SetHistory ansi, boolean unknown) {
        this.database = database;
        this.options = options;
        this.dates = dates;
        this.ansi = ansi;
        this.unknown = unknown;
        this.hash = 31 * (31 * (31 * options.hashCode() + database.hashCode()) + dates.hashCode()) + ansi.hashCode();
    }

    /** The state after a SET that succeeded, with the value as it was written. */
    public SessionState with(SetOption option, String value) {
        String canonical = option.canonical(value);
        return switch (option.group()) {
            case NONE -> withIndependent(option, canonical);
            case DATES -> withDates(dates.with(option, canonical));
            case ANSI -> withAnsi(ansi.with(option, canonical));
        };
    }

    private SessionState withIndependent(SetOption option, String value) {
        @Nullable String known = options.get(option);
        boolean back = option == SetOption.TRANSACTION_ISOLATION_LEVEL && value.equals(DEFAULT_ISOLATION);
        if (back ? known == null : value.equals(known)) {
            return this;
        }
        EnumMap<SetOption, String> changed = new EnumMap<>(options);
        if (back) {
            changed.remove(option);
        } else {
            changed.put(option, value);
        }
        return new SessionState(database, changed, dates, ansi, unknown);
    }

    private SessionState withDates(@Nullable SetHistory changed) {
        if (changed == null) {
            return asUnknown();
        }
        return changed.equals(dates) ? this : new SessionState(database, options, changed, ansi, unknown);
    }

    private SessionState withAnsi(@Nullable SetHistory changed) {
        if (changed == null) {
            return asUnknown();
        }
        return changed.equals(ansi) ? this : new SessionState(database, options, dates, changed, unknown);
    }

    private SessionState asUnknown() {
        return new SessionState(database, options, SetHistory.NONE, SetHistory.NONE, true);
    }

    /** Whether the state can't be applied to another connection: the client must keep its present one until a reset. */
    public boolean isUnknown() {
        return unknown;
    }

    /** Whether a SELECT may open a transaction, judging by the client's own SETs; the login's default is not known here. */
    public boolean implicitTransactionsMayBeOn() {
        return unknown || ansi.mayBeImplicit();
    }

    /** Whether an option of the ANSI group is on, judging by the client's own SETs. */
    public boolean isAnsiOn(SetOption option) {
        return ansi.isOn(option);
    }

    /** The database in use; empty for the login's. */
    public String database() {
        return database;
    }

    /** The state after the server has reported another database. */
    public SessionState inDatabase(String name) {
        return name.equals(database) ? this : new SessionState(name, options, dates, ansi, unknown);
    }

    /** The state after a reset, which keeps only the isolation level. */
    public SessionState afterReset() {
        String isolation = options.get(SetOption.TRANSACTION_ISOLATION_LEVEL);
        return isolation == null ? AS_LOGGED_IN : AS_LOGGED_IN.with(SetOption.TRANSACTION_ISOLATION_LEVEL, isolation);
    }

    /** Whether the isolation level is that of a new session, also after a reset. */
    public boolean isolationIsDefault() {
        return !options.containsKey(SetOption.TRANSACTION_ISOLATION_LEVEL);
    }

    /** The distance as the pool asks for it; 1 if nothing is known of a session. */
    public static int apart(@Nullable Object wanted, @Nullable Object present) {
        return wanted instanceof SessionState w && present instanceof SessionState p ? w.distance(p) : 1;
    }

    /** The number of settings that differ from another's; never 0 if one of the two is unknown. */
    public int distance(SessionState other) {
        int differences = database.equals(other.database) ? 0 : 1;
        if (unknown || other.unknown) {
            differences++;
        } else if (equals(other)) {
            return 0;
        }
        for (Map.Entry<SetOption, String> entry : options.entrySet()) {
            if (!entry.getValue().equals(other.options.get(entry.getKey()))) {
                differences++;
            }
        }
        for (SetOption option : other.options.keySet()) {
            if (!options.containsKey(option)) {
                differences++;
            }
        }
        return differences + dates.distance(other.dates) + ansi.distance(other.ansi);
    }

    /**
     * The batch that brings a session that was just reset into this state. It always sets the isolation level: whether a
     * reset restores that depends on the server's version.
     *
     * @throws IllegalStateException if the state is unknown
     */
    public String toSql() {
        return toSql("", false);
    }

    /**
     * The same for a server whose reset may not restore everything.
     *
     * @param loginDatabase the database to return to; empty to leave it out
     * @param explicitOff whether to turn IMPLICIT_TRANSACTIONS off explicitly if the session has not set it
     */
    public String toSql(String loginDatabase, boolean explicitOff) {
        if (unknown) {
            throw new IllegalStateException("a session state that is not known can't be replayed");
        }
        StringBuilder sql = new StringBuilder(64 + 48 * options.size());
        String wanted = database.isEmpty() ? loginDatabase : database;
        if (!wanted.isEmpty()) {
            sql.append("USE [").append(wanted.replace("]", "]]")).append("];");
        }
        if (explicitOff) {
            sql.append("SET IMPLICIT_TRANSACTIONS OFF;");
        }
        dates.appendTo(sql);
        ansi.appendTo(sql);
        for (Map.Entry<SetOption, String> entry : options.entrySet()) {
            if (entry.getKey() != SetOption.TRANSACTION_ISOLATION_LEVEL) {
                sql.append(entry.getKey().toSql(entry.getValue())).append(';');
            }
        }
        sql.append(SetOption.TRANSACTION_ISOLATION_LEVEL.toSql(
                Objects.requireNonNullElse(options.get(SetOption.TRANSACTION_ISOLATION_LEVEL), DEFAULT_ISOLATION)));
        return sql.append(';').toString();
    }

    /** An unknown state equals only itself; ask {@link #distance} whether a session can be shared. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof SessionState that
                        && !unknown
                        && !that.unknown
                        && hash == that.hash
                        && database.equals(that.database)
                        && options.equals(that.options)
                        && dates.equals(that.dates)
                        && ansi.equals(that.ansi));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return (database.isEmpty() ? "" : "database " + database + " ")
                + (unknown ? "unknown " : "")
                + options
                + (dates.isEmpty() ? "" : " " + dates)
                + (ansi.isEmpty() ? "" : " " + ansi);
    }
}
