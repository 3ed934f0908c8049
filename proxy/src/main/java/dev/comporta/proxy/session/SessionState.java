package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SetOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session has beyond what its login gave it: the database in use and the SET options that differ. Immutable, and
 * equal when a client could not tell two sessions apart by them. Options that may change one another are kept as the
 * sequence in which they were set: see {@link SetHistory}. A state whose sequence became too long is not known any more:
 * its client must be pinned, and it is no other's.
 */
public final class SessionState {
    /** As the login left it. */
    public static final SessionState AS_LOGGED_IN =
            new SessionState("", new EnumMap<>(SetOption.class), SetHistory.NONE, SetHistory.NONE, false);

    /** The level of every new session. Kept as the absence of the option, so that setting it is going back. */
    private static final String DEFAULT_ISOLATION = "READ COMMITTED";

    /** Empty: the login's. */
    private final String database;

    /** The options that have nothing to do with one another. */
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

    /**
     * Whether the state can't be told, and so not be given to another connection: the client must keep the one it has
     * until its session is reset.
     */
    public boolean isUnknown() {
        return unknown;
    }

    /** Whether a SELECT may open a transaction, as far as the client's own SETs tell; the login's default is not known here. */
    public boolean implicitTransactionsMayBeOn() {
        return unknown || ansi.mayBeImplicit();
    }

    /** Whether an option of the ANSI group is on, as far as the client's own SETs tell. */
    public boolean isAnsiOn(SetOption option) {
        return ansi.isOn(option);
    }

    /** The database in use; empty for the login's. */
    public String database() {
        return database;
    }

    /** The state after the server has told of another database. */
    public SessionState inDatabase(String name) {
        return name.equals(database) ? this : new SessionState(name, options, dates, ansi, unknown);
    }

    /** What a reset leaves of it: the isolation level alone. */
    public SessionState afterReset() {
        String isolation = options.get(SetOption.TRANSACTION_ISOLATION_LEVEL);
        return isolation == null ? AS_LOGGED_IN : AS_LOGGED_IN.with(SetOption.TRANSACTION_ISOLATION_LEVEL, isolation);
    }

    /** Whether a session that was reset may have another isolation level than a new one. */
    public boolean isolationIsDefault() {
        return !options.containsKey(SetOption.TRANSACTION_ISOLATION_LEVEL);
    }

    /** As the pool asks: of a session about which nothing is known, that it differs. */
    public static int apart(@Nullable Object wanted, @Nullable Object present) {
        return wanted instanceof SessionState w && present instanceof SessionState p ? w.distance(p) : 1;
    }

    /** How many settings differ from another's; never none if one of the two is unknown. */
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
     * The batch that brings a session that was just reset into this state. The isolation level is always in it: whether a
     * reset puts it back depends on the server's version.
     *
     * @throws IllegalStateException if the state is unknown
     */
    public String toSql() {
        return toSql("", false);
    }

    /**
     * The same, where the reset may not have put everything back.
     *
     * @param loginDatabase to go back to; empty where nothing is to be said of it
     * @param explicitOff whether a session that has not set IMPLICIT_TRANSACTIONS is to have them off
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

    /** An unknown state is equal to nothing but itself; ask {@link #distance} whether a session can be shared. */
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
