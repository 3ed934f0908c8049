package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SetOption;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session has beyond what its login gave it: the database in use and the SET options that differ. Immutable, and
 * equal when a client could not tell two sessions apart by them.
 */
public final class SessionState {
    /** As the login left it. */
    public static final SessionState AS_LOGGED_IN = new SessionState("", new EnumMap<>(SetOption.class));

    /** The level of every new session. Kept as the absence of the option, so that setting it is going back. */
    private static final String DEFAULT_ISOLATION = "READ COMMITTED";

    /** Empty: the login's. */
    private final String database;

    private final EnumMap<SetOption, String> options;
    private final int hash;

    private SessionState(String database, EnumMap<SetOption, String> options) {
        this.database = database;
        this.options = options;
        this.hash = 31 * options.hashCode() + database.hashCode();
    }

    /** The state after a SET that succeeded. */
    public SessionState with(SetOption option, String value) {
        String known = options.get(option);
        boolean back = option == SetOption.TRANSACTION_ISOLATION_LEVEL && value.equalsIgnoreCase(DEFAULT_ISOLATION);
        boolean same = value.equals(known) || (back && known == null);
        // Setting the same language again still undoes a DATEFIRST that came after it.
        if (same && Collections.disjoint(options.keySet(), option.overrides())) {
            return this;
        }
        EnumMap<SetOption, String> changed = new EnumMap<>(options);
        for (SetOption overridden : option.overrides()) {
            changed.remove(overridden);
        }
        if (back) {
            changed.remove(option);
        } else {
            changed.put(option, value);
        }
        if (value.equals("ON")) {
            // Said, not forgotten: a login may have begun with the other one ON.
            option.opposite().ifPresent(opposite -> changed.put(opposite, "OFF"));
        }
        return new SessionState(database, changed);
    }

    /** The database in use; empty for the login's. */
    public String database() {
        return database;
    }

    /** Whether statements may begin transactions by themselves, as far as the session has set it. */
    public boolean mayOpenImplicitTransactions() {
        return isOn(SetOption.IMPLICIT_TRANSACTIONS) || isOn(SetOption.ANSI_DEFAULTS);
    }

    private boolean isOn(SetOption option) {
        String value = options.get(option);
        return value != null && !value.equals("OFF");
    }

    /** The state after the server has told of another database. */
    public SessionState inDatabase(String name) {
        return name.equals(database) ? this : new SessionState(name, options);
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

    /** The isolation level, when it is not the default. */
    public @Nullable String isolation() {
        return options.get(SetOption.TRANSACTION_ISOLATION_LEVEL);
    }

    /** As the pool asks: of a session about which nothing is known, that it differs. */
    public static int apart(@Nullable Object wanted, @Nullable Object present) {
        return wanted instanceof SessionState w && present instanceof SessionState p ? w.distance(p) : 1;
    }

    /** How many settings differ from another's. */
    public int distance(SessionState other) {
        if (equals(other)) {
            return 0;
        }
        int differences = database.equals(other.database) ? 0 : 1;
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
        return differences;
    }

    /**
     * The batch that brings a session that was just reset into this state. The isolation level is always in it: whether a
     * reset puts it back depends on the server's version. Options come before those that they override, which is the
     * order of the enum but for LANGUAGE and ANSI_DEFAULTS; those two are put first.
     */
    public String toSql() {
        return toSql("");
    }

    /** @param loginDatabase to go back to, where a reset may not have done that; empty where it has */
    public String toSql(String loginDatabase) {
        StringBuilder sql = new StringBuilder(64 + 48 * options.size());
        String wanted = database.isEmpty() ? loginDatabase : database;
        if (!wanted.isEmpty()) {
            sql.append("USE [").append(wanted.replace("]", "]]")).append("];");
        }
        append(sql, SetOption.LANGUAGE);
        append(sql, SetOption.ANSI_DEFAULTS);
        for (SetOption option : options.keySet()) {
            if (option != SetOption.LANGUAGE
                    && option != SetOption.ANSI_DEFAULTS
                    && option != SetOption.TRANSACTION_ISOLATION_LEVEL) {
                append(sql, option);
            }
        }
        sql.append(SetOption.TRANSACTION_ISOLATION_LEVEL.toSql(
                Objects.requireNonNullElse(options.get(SetOption.TRANSACTION_ISOLATION_LEVEL), DEFAULT_ISOLATION)));
        return sql.append(';').toString();
    }

    private void append(StringBuilder sql, SetOption option) {
        String value = options.get(option);
        if (value != null) {
            sql.append(option.toSql(value)).append(';');
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof SessionState that
                        && hash == that.hash
                        && database.equals(that.database)
                        && options.equals(that.options));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return (database.isEmpty() ? "" : "database " + database + " ") + options;
    }
}
