package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.TextArena;

/**
 * What a scan found. Belongs to its scanner and is overwritten by the scanner's next text. Asking for flags, options and
 * comparisons allocates nothing; the methods that return strings do.
 */
public final class SqlFindings {
    /** More options than a driver's prologue sets by far; a text with more is not understood. */
    static final int MOST_SETS = 64;

    /** More names of procedures than these are not kept, which {@link #hasUnlistedProcedures} tells. */
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
     * Whether the client must be pinned if the text did not run to its end, because of an error or a cancel: what it set
     * may or may not hold then, and what it made may not be removed.
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
     * and without functions that the server does not bring along, DECLARE and SET of variables, SET of options by
     * certain constants, PRINT, WAITFOR DELAY and TIME, USE, RETURN, and IF, WHILE and BEGIN around them. False for
     * everything else: INSERT, UPDATE and DELETE have triggers and leave {@code @@IDENTITY}, what EXEC runs is not in the
     * text. In {@link Scope#INNER} an option or a database makes it false as well: SQL Server puts them back, other
     * servers may not, and nobody tracks them.
     *
     * <p>It holds if the text ran to its end without an error, on a session where IMPLICIT_TRANSACTIONS is OFF: where it
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

    /** False if there is anything in the text whose effect on the session is not known. Then the client is pinned. */
    public boolean understood() {
        return doubt == Doubt.NONE;
    }

    /** The first reason why the text is not understood. */
    public Doubt doubt() {
        return doubt;
    }

    /** Where in the text, in characters, the doubt arose. */
    public long doubtPosition() {
        return doubtPosition;
    }

    /** How many statements do something: control of flow and declarations are not counted. */
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
     * Whether procedures are, or may be, called that the list does not name: more than it has room for, one whose name is
     * in a variable, or any by a text that is run and is no constant.
     */
    public boolean hasUnlistedProcedures() {
        return unlistedProcedures;
    }

    /** The number of different procedures called by name. */
    public int procedureCount() {
        return procedureCount;
    }

    /** The name as written, up to four parts joined by dots, without brackets and quotes. */
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

    /** The text has something that is not on the list of {@link Harmless}. */
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

    /** Takes the name of a procedure that was appended to the arena, if it is not listed yet. */
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

    /** Adds what was found in a text that this one runs. What it reads of a request before is for the caller to judge. */
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

    /** Turns the list of SETs into findings, once the whole text is read. */
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

    /** PARSEONLY works while the text is parsed, so nothing is sure of a text that has it, before it or after it. */
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

    /** Whether a later SET of this text decides for certain what the one at that index set. */
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
