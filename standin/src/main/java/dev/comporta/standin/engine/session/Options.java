package dev.comporta.standin.engine.session;

import java.util.EnumSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A session's SET options. Options with a value are plain fields. Confined to the session's thread, except that system views
 * in other sessions may read it.
 */
public final class Options {
    /** An option that is on or off, with its bit in @@OPTIONS (0 if it has none). */
    public enum Switch {
        ANSI_NULLS(32),
        ANSI_NULL_DFLT_OFF(2048),
        ANSI_NULL_DFLT_ON(1024),
        ANSI_PADDING(16),
        ANSI_WARNINGS(8),
        ARITHABORT(64),
        ARITHIGNORE(128),
        CONCAT_NULL_YIELDS_NULL(4096),
        CURSOR_CLOSE_ON_COMMIT(4),
        FMTONLY(0),
        FORCEPLAN(0),
        IMPLICIT_TRANSACTIONS(2),
        NOCOUNT(512),
        NOEXEC(0),
        NUMERIC_ROUNDABORT(8192),
        PARSEONLY(0),
        QUOTED_IDENTIFIER(256),
        REMOTE_PROC_TRANSACTIONS(0),
        XACT_ABORT(16384);

        private final int bit;

        Switch(int bit) {
            this.bit = bit;
        }

        public static @Nullable Switch named(String name) {
            for (Switch option : values()) {
                if (option.name().equals(name.toUpperCase(Locale.ROOT))) {
                    return option;
                }
            }
            return null;
        }
    }

    /** The options that SET ANSI_DEFAULTS sets together. */
    private static final EnumSet<Switch> ANSI_DEFAULTS = EnumSet.of(
            Switch.ANSI_NULLS,
            Switch.ANSI_NULL_DFLT_ON,
            Switch.ANSI_PADDING,
            Switch.ANSI_WARNINGS,
            Switch.CURSOR_CLOSE_ON_COMMIT,
            Switch.IMPLICIT_TRANSACTIONS,
            Switch.QUOTED_IDENTIFIER);

    private final EnumSet<Switch> on;
    public int textSize;
    /** The limit of SET ROWCOUNT, or 0. */
    public long rowCount;
    /** In milliseconds; -1 waits for ever. */
    public int lockTimeout = -1;

    public int deadlockPriority;
    private Language language;
    public int dateFirst;
    public String dateFormat;

    private Options(EnumSet<Switch> on, Language language, int textSize) {
        this.on = on;
        this.language = language;
        this.dateFirst = language.dateFirst();
        this.dateFormat = language.dateFormat();
        this.textSize = textSize;
    }

    /**
     * The options of a new session.
     *
     * @param odbc whether LOGIN7 announced an ODBC driver, for which the server sets the ANSI options
     */
    static Options atLogin(boolean odbc, Language language) {
        EnumSet<Switch> on = odbc
                ? EnumSet.of(
                        Switch.ANSI_NULLS,
                        Switch.ANSI_NULL_DFLT_ON,
                        Switch.ANSI_PADDING,
                        Switch.ANSI_WARNINGS,
                        Switch.CONCAT_NULL_YIELDS_NULL,
                        Switch.QUOTED_IDENTIFIER)
                : EnumSet.noneOf(Switch.class);
        return new Options(on, language, odbc ? Integer.MAX_VALUE : 4096);
    }

    public Options copy() {
        Options copy = new Options(EnumSet.copyOf(on), language, textSize);
        copy.rowCount = rowCount;
        copy.lockTimeout = lockTimeout;
        copy.deadlockPriority = deadlockPriority;
        copy.dateFirst = dateFirst;
        copy.dateFormat = dateFormat;
        return copy;
    }

    public boolean isOn(Switch option) {
        return on.contains(option);
    }

    public void set(Switch option, boolean value) {
        if (!value) {
            on.remove(option);
            return;
        }
        on.add(option);
        // These two exclude each other.
        if (option == Switch.ANSI_NULL_DFLT_ON) {
            on.remove(Switch.ANSI_NULL_DFLT_OFF);
        } else if (option == Switch.ANSI_NULL_DFLT_OFF) {
            on.remove(Switch.ANSI_NULL_DFLT_ON);
        }
    }

    public void setAnsiDefaults(boolean value) {
        for (Switch option : ANSI_DEFAULTS) {
            set(option, value);
        }
    }

    public boolean ansiDefaults() {
        return on.containsAll(ANSI_DEFAULTS);
    }

    /** @@OPTIONS. */
    public int bits() {
        int bits = 0;
        for (Switch option : on) {
            bits |= option.bit;
        }
        return bits;
    }

    public Language language() {
        return language;
    }

    /**
     * Another language also sets its first day of the week and its date format. The language in force sets neither:
     * tedious sets both before the language, and its tests check that they are kept.
     */
    void setLanguage(Language value) {
        if (language.equals(value)) {
            return;
        }
        language = value;
        dateFirst = value.dateFirst();
        dateFormat = value.dateFormat();
    }
}
