package dev.comporta.tds.sql;

import java.util.Locale;

/** The options that SET changes in a session, and what a pool must know to apply them to another connection. */
public enum SetOption {
    ANSI_DEFAULTS(Form.SWITCH, Carried.REPLAYED),
    ANSI_NULL_DFLT_OFF(Form.SWITCH, Carried.REPLAYED),
    ANSI_NULL_DFLT_ON(Form.SWITCH, Carried.REPLAYED),
    ANSI_NULLS(Form.SWITCH, Carried.REPLAYED),
    ANSI_PADDING(Form.SWITCH, Carried.REPLAYED),
    ANSI_WARNINGS(Form.SWITCH, Carried.REPLAYED),
    ARITHABORT(Form.SWITCH, Carried.REPLAYED),
    ARITHIGNORE(Form.SWITCH, Carried.REPLAYED),
    CONCAT_NULL_YIELDS_NULL(Form.SWITCH, Carried.REPLAYED),
    CURSOR_CLOSE_ON_COMMIT(Form.SWITCH, Carried.REPLAYED),
    FORCEPLAN(Form.SWITCH, Carried.REPLAYED),
    IMPLICIT_TRANSACTIONS(Form.SWITCH, Carried.REPLAYED),
    NOCOUNT(Form.SWITCH, Carried.REPLAYED),
    NUMERIC_ROUNDABORT(Form.SWITCH, Carried.REPLAYED),
    /** Takes effect while the text is parsed: the last one in a text counts, even if it is never executed. */
    QUOTED_IDENTIFIER(Form.SWITCH, Carried.REPLAYED),
    REMOTE_PROC_TRANSACTIONS(Form.SWITCH, Carried.REPLAYED),
    XACT_ABORT(Form.SWITCH, Carried.REPLAYED),

    DATEFIRST(Form.NUMBER, Carried.REPLAYED),
    DATEFORMAT(Form.NAME, Carried.REPLAYED),
    DEADLOCK_PRIORITY(Form.NUMBER_OR_WORD, Carried.REPLAYED),
    LANGUAGE(Form.NAME, Carried.REPLAYED),
    LOCK_TIMEOUT(Form.NUMBER, Carried.REPLAYED),
    QUERY_GOVERNOR_COST_LIMIT(Form.NUMBER, Carried.REPLAYED),
    ROWCOUNT(Form.NUMBER, Carried.REPLAYED),
    TEXTSIZE(Form.NUMBER, Carried.REPLAYED),
    /** Not restored by a reset: it must be set on every connection that changes hands. */
    TRANSACTION_ISOLATION_LEVEL(Form.LEVEL, Carried.REPLAYED),

    /** Survives the end of a procedure, unlike every other option. */
    CONTEXT_INFO(Form.NUMBER, Carried.PINNED),
    IDENTITY_INSERT(Form.TABLE_SWITCH, Carried.PINNED),
    OFFSETS(Form.WORDS_SWITCH, Carried.PINNED),
    FIPS_FLAGGER(Form.NAME, Carried.PINNED),
    /** Undocumented; drivers send it around queries that ask for key columns. */
    NO_BROWSETABLE(Form.SWITCH, Carried.PINNED),
    STATISTICS_IO(Form.SWITCH, Carried.PINNED),
    STATISTICS_PROFILE(Form.SWITCH, Carried.PINNED),
    STATISTICS_TIME(Form.SWITCH, Carried.PINNED),
    STATISTICS_XML(Form.SWITCH, Carried.PINNED),

    FMTONLY(Form.SWITCH, Carried.STOPS_EXECUTION),
    NOEXEC(Form.SWITCH, Carried.STOPS_EXECUTION),
    PARSEONLY(Form.SWITCH, Carried.STOPS_EXECUTION),
    SHOWPLAN_ALL(Form.SWITCH, Carried.STOPS_EXECUTION),
    SHOWPLAN_TEXT(Form.SWITCH, Carried.STOPS_EXECUTION),
    SHOWPLAN_XML(Form.SWITCH, Carried.STOPS_EXECUTION);

    /** The option's syntax. */
    enum Form {
        /** {@code SET a, b ON} */
        SWITCH,
        /** {@code SET a number}, or a variable. */
        NUMBER,
        /** {@code SET a word}, or a number or variable. */
        NUMBER_OR_WORD,
        /** {@code SET a name}, plain, delimited or as a string, or a variable. */
        NAME,
        /** {@code SET TRANSACTION ISOLATION LEVEL …} */
        LEVEL,
        /** {@code SET IDENTITY_INSERT table ON} */
        TABLE_SWITCH,
        /** {@code SET OFFSETS word, word ON} */
        WORDS_SWITCH
    }

    private enum Carried {
        REPLAYED,
        PINNED,
        STOPS_EXECUTION
    }

    /** Options that may change one another: their values hold only in the order in which they were set. */
    public enum Group {
        /** Affects no other option, and no other affects it. */
        NONE,
        DATES,
        ANSI
    }

    private final Form form;
    private final Carried carried;

    SetOption(Form form, Carried carried) {
        this.form = form;
        this.carried = carried;
    }

    Form form() {
        return form;
    }

    /** Whether setting it again on another connection gives the client the same session. */
    public boolean isReplayable() {
        return carried == Carried.REPLAYED;
    }

    /** Whether statements (other SETs among them) are not executed while the option is ON. */
    public boolean stopsExecution() {
        return carried == Carried.STOPS_EXECUTION;
    }

    boolean worksWhileParsing() {
        return switch (this) {
            case QUOTED_IDENTIFIER, PARSEONLY, OFFSETS, FIPS_FLAGGER -> true;
            default -> false;
        };
    }

    /**
     * The options that this one may change, or that may change it. SET LANGUAGE also sets the date format and the first day of
     * the week, on some servers only if the language changes; ANSI_DEFAULTS sets seven options; ANSI_WARNINGS ON turns
     * ARITHABORT ON, depending on the database.
     */
    public Group group() {
        return switch (this) {
            case LANGUAGE, DATEFIRST, DATEFORMAT -> Group.DATES;
            case ANSI_DEFAULTS,
                    ANSI_NULLS,
                    ANSI_NULL_DFLT_ON,
                    ANSI_NULL_DFLT_OFF,
                    ANSI_PADDING,
                    ANSI_WARNINGS,
                    ARITHABORT,
                    CURSOR_CLOSE_ON_COMMIT,
                    IMPLICIT_TRANSACTIONS,
                    QUOTED_IDENTIFIER -> Group.ANSI;
            default -> Group.NONE;
        };
    }

    /** Whether setting it may change another option of its group. */
    public boolean changesOthers() {
        return switch (this) {
            case LANGUAGE, ANSI_DEFAULTS, ANSI_NULL_DFLT_ON, ANSI_NULL_DFLT_OFF, ANSI_WARNINGS -> true;
            default -> false;
        };
    }

    /** Whether the option is ON or OFF. */
    public boolean isSwitch() {
        return form == Form.SWITCH;
    }

    /** The value in one spelling if its case does not matter. Names stay as the client wrote them. */
    public String canonical(String value) {
        return form == Form.NAME ? value : value.toUpperCase(Locale.ROOT);
    }

    /** The statement that sets this option to a value which {@link SqlFindings#setValue} returned. */
    public String toSql(String value) {
        return switch (this) {
            case TRANSACTION_ISOLATION_LEVEL -> "SET TRANSACTION ISOLATION LEVEL " + value;
            case STATISTICS_IO, STATISTICS_PROFILE, STATISTICS_TIME, STATISTICS_XML ->
                "SET " + name().replace('_', ' ') + ' ' + value;
            // The only values that the client chooses freely; quoted, they can't end the literal.
            case LANGUAGE, DATEFORMAT ->
                "SET " + name() + (isAscii(value) ? " '" : " N'") + value.replace("'", "''") + '\'';
            default -> "SET " + name() + ' ' + value;
        };
    }

    /** Babelfish does not accept N'…' after SET LANGUAGE and SET DATEFORMAT. */
    private static boolean isAscii(String value) {
        return value.chars().allMatch(c -> c < 128);
    }
}
