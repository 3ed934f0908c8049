package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.TextArena;

/**
 * The result of a scan. Belongs to its scanner, whose next text overwrites it. Reading flags and options and comparing
 * names allocates nothing; the methods that return strings do.
 */
public final class SqlFindings {
    /** Far more options than a driver's prologue sets; a text with more is not understood. */
    static final int MOST_SETS = 64;

    /** At most this many procedure names are kept; {@link #hasUnlistedProcedures} reports that there were more. */
    static final int MOST_PROCEDURES = 32;

    private final TextArena arena = new TextArena();
    private long bits;
    private Doubt doubt = Doubt.NONE;
    private long doubtPosition;
    private int statements;
    private boolean mayLeave;
    private boolean beginsSurely;

    private final SetOption[] options = new SetOption[MOST_SETS];
    private final long[] values = new long[MOST_SETS];
    private final long[] targets = new long[MOST_SETS];
    private long certain;
    private long constant;
    private int sets;

    private final long[] procedures = new long[MOST_PROCEDURES];
    private int procedureCount;
    private boolean unlistedProcedures;
    private long database;

    SqlFindings() {}

    /** All findings, one {@link Finding#bit()} each. */
    public long bits() {
        return bits;
    }

    public boolean has(Finding finding) {
        return (bits & finding.bit()) != 0;
    }

    public boolean hasAny(Finding.Effect effect) {
        return (bits & Finding.mask(effect)) != 0;
    }

    /**
     * Whether the client must be pinned if the text did not run to its end, because of an error or a cancel: its settings may
     * or may not hold then, and objects that it made may not have been dropped.
     */
    public boolean pinsIfCutShort() {
        return sets > 0
                || hasAny(Finding.Effect.PIN)
                || has(Finding.USES_CURSOR)
                || has(Finding.USES_TEMPORARY)
                || has(Finding.REVERTS_IMPERSONATION);
    }

    /**
     * Whether every statement of the text is on a positive list of those that leave nothing in the session but what is
     * tracked (the database in use, options that are replayed) and can't begin or end a transaction: SELECT without INTO
     * and with built-in functions only, DECLARE and SET of variables, SET of options to certain constants, PRINT, WAITFOR
     * DELAY and TIME, USE, RETURN, and IF, WHILE and BEGIN around them. False for everything else: INSERT, UPDATE and DELETE
     * have triggers and leave {@code @@IDENTITY}, and EXEC runs code that is not in the text. In {@link Scope#INNER} an option
     * or a database makes it false as well: SQL Server restores them, other servers may not, and nothing tracks them.
     *
     * <p>It holds if the text ran to its end without an error, in a session where IMPLICIT_TRANSACTIONS is OFF: where it
     * may be ON, {@link Finding#OPENS_IMPLICIT_TRANSACTION} must be absent as well. {@code @@ROWCOUNT} and
     * {@code @@ERROR} are always left; a request that reads those needs the connection of the last request.
     */
    public boolean leavesNothing() {
        return !mayLeave && understood();
    }

    /** Whether the text is one BEGIN TRANSACTION: if it ran without an error, a transaction is open. */
    public boolean onlyBeginsTransaction() {
        return beginsSurely && statements == 1 && understood();
    }

    /** False if the text has anything whose effect on the session is unknown. Then the client is pinned. */
    public boolean understood() {
        return doubt == Doubt.NONE;
    }

    /** The first reason why the text is not understood. */
    public Doubt doubt() {
        return doubt;
    }

    /** Where in the text the doubt arose, in characters. */
    public long doubtPosition() {
        return doubtPosition;
    }

    /** The number of statements, without control of flow and declarations. */
    public int statements() {
        return statements;
    }

    /** The number of SET options, in the order of the text: of several for one option the last one counts. */
    public int setCount() {
        return sets;
    }

    public SetOption setOption(int index) {
        return options[index];
    }

    /**
     * Whether the statement has run, given that the whole text ran without an error: false under IF, WHILE or TRY, or
     * after RETURN, GOTO or an option that stops execution.
     */
    public boolean setIsCertain(int index) {
        return (certain & (1L << index)) != 0;
    }

    /** Whether the value is in the text, rather than in a variable. */
    public boolean setIsConstant(int index) {
        return (constant & (1L << index)) != 0;
    }

    /** ON, OFF, a number with its sign, a name or a string without its quotes; the variable if it is not constant. */
    public String setValue(int index) {
        return arena.string(values[index]);
    }

    /** The table of IDENTITY_INSERT, the words of OFFSETS; otherwise empty. */
    public String setTarget(int index) {
        return arena.string(targets[index]);
    }

    /** The database of the last USE; empty if there is none. */
    public String database() {
        return arena.string(database);
    }

    /**
     * Whether the text calls, or may call, procedures that the list does not name: there were more than it keeps, the name is
     * in a variable, or the text runs another text that is not constant.
     */
    public boolean hasUnlistedProcedures() {
        return unlistedProcedures;
    }

    /** The number of different procedures called by name. */
    public int procedureCount() {
        return procedureCount;
    }

    /** The name as the client wrote it, up to four parts joined by dots, without brackets and quotes. */
    public String procedure(int index) {
        return arena.string(procedures[index]);
    }

    /** Whether the last part of the procedure's name is this one, ASCII case ignored. */
    public boolean procedureIs(int index, String name) {
        long slice = procedures[index];
        int before = arena.length(slice) - name.length() - 1;
        return arena.endsWith(slice, name) && (before < 0 || arena.at(slice, before) == '.');
    }

    void clear() {
        arena.clear();
        bits = 0;
        doubt = Doubt.NONE;
        doubtPosition = 0;
        statements = 0;
        mayLeave = false;
        beginsSurely = false;
        certain = 0;
        constant = 0;
        sets = 0;
        procedureCount = 0;
        unlistedProcedures = false;
        database = TextArena.EMPTY;
    }

    TextArena arena() {
        return arena;
    }

    void add(Finding finding) {
        bits |= finding.bit();
    }

    /** The text contains something that is not on the list of {@link Harmless}. */
    void mayLeave() {
        mayLeave = true;
    }

    void doubt(Doubt reason, long position) {
        if (doubt == Doubt.NONE) {
            doubt = reason;
            doubtPosition = position;
            add(Finding.NOT_UNDERSTOOD);
        }
    }

    void beginsSurely() {
        beginsSurely = true;
    }

    void countStatement() {
        statements++;
    }

    boolean addSet(SetOption option, long value, long target, boolean isConstant, boolean isCertain) {
        if (sets == MOST_SETS) {
            return false;
        }
        options[sets] = option;
        values[sets] = value;
        targets[sets] = target;
        if (isConstant) {
            constant |= 1L << sets;
        }
        if (isCertain) {
            certain |= 1L << sets;
        }
        sets++;
        return true;
    }

    /** Adds the name of a procedure, which was appended to the arena, if it is not listed yet. */
    void addProcedure(int nameStart) {
        long name = arena.sliceFrom(nameStart);
        for (int i = 0; i < procedureCount; i++) {
            if (arena.same(procedures[i], name)) {
                arena.cut(nameStart);
                return;
            }
        }
        if (procedureCount == MOST_PROCEDURES) {
            arena.cut(nameStart);
            unlistedProcedures = true;
        } else {
            procedures[procedureCount++] = name;
        }
    }

    /** A procedure is called whose name can't be kept. */
    void addUnlistedProcedure() {
        unlistedProcedures = true;
    }

    /** Adds the findings of a text that this one runs. The caller judges its reads of the previous request's values. */
    void addInner(SqlFindings inner, long position) {
        bits |= inner.bits & ~(Finding.mask(Finding.Effect.PREVIOUS_REQUEST) | Finding.NOT_UNDERSTOOD.bit());
        if (!inner.understood()) {
            doubt(inner.doubt, position);
        }
        unlistedProcedures |= inner.unlistedProcedures;
        for (int i = 0; i < inner.procedureCount; i++) {
            int start = arena.end();
            if (arena.append(inner.arena, inner.procedures[i])) {
                addProcedure(start);
            } else {
                arena.cut(start);
                unlistedProcedures = true;
            }
        }
    }

    void add(long findings) {
        bits |= findings;
    }

    void database(long name) {
        database = name;
    }

    /** Turns the list of SETs into findings, after the whole text has been read. */
    void judgeSets() {
        certain &= surelyParsed();
        for (int i = 0; i < sets; i++) {
            SetOption option = options[i];
            boolean known = setIsCertain(i) && setIsConstant(i);
            if (known && option.isReplayable()) {
                add(Finding.SETS_OPTION);
            }
            if (option == SetOption.CONTEXT_INFO) {
                add(Finding.SETS_CONTEXT_INFO);
            } else if (!isOverridden(i)) {
                if (!setIsCertain(i)) {
                    add(Finding.SETS_OPTION_PERHAPS);
                }
                if (!setIsConstant(i)) {
                    add(Finding.SETS_OPTION_FROM_VARIABLE);
                }
                if (known && !option.isReplayable() && !arena.same(values[i], "OFF")) {
                    add(Finding.SETS_UNREPLAYABLE_OPTION);
                }
            }
        }
    }

    /** PARSEONLY takes effect while the text is parsed, so in a text that has it no statement before or after it surely runs. */
    private long surelyParsed() {
        long ofParsing = 0;
        boolean parsesOnly = false;
        for (int i = 0; i < sets; i++) {
            if (options[i] == SetOption.PARSEONLY) {
                ofParsing |= 1L << i;
                parsesOnly |= !arena.same(values[i], "OFF");
            }
        }
        return parsesOnly ? ofParsing : -1L;
    }

    /** Whether a later SET of this text surely replaces the value that the SET at that index set. */
    private boolean isOverridden(int index) {
        if (options[index].changesOthers()) {
            return false; // a LANGUAGE that may have been set has changed the date format, whatever language follows
        }
        for (int later = index + 1; later < sets; later++) {
            if (options[later] == options[index]
                    && setIsCertain(later)
                    && setIsConstant(later)
                    && arena.same(targets[later], targets[index])) {
                return true;
            }
        }
        return false;
    }
}
