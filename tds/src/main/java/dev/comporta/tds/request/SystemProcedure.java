package dev.comporta.tds.request;

/**
 * The procedures that an RPC may call by number. Drivers call them by name as well, so both ways lead to the number here.
 * Plain ints rather than an enum: they are compared for every RPC that passes.
 */
public final class SystemProcedure {
    /** Any other procedure: it has a name alone. */
    public static final int NONE = 0;

    public static final int CURSOR = 1;
    public static final int CURSOR_OPEN = 2;
    public static final int CURSOR_PREPARE = 3;
    public static final int CURSOR_EXECUTE = 4;
    public static final int CURSOR_PREP_EXEC = 5;
    public static final int CURSOR_UNPREPARE = 6;
    public static final int CURSOR_FETCH = 7;
    public static final int CURSOR_OPTION = 8;
    public static final int CURSOR_CLOSE = 9;
    public static final int EXECUTE_SQL = 10;
    public static final int PREPARE = 11;
    public static final int EXECUTE = 12;
    public static final int PREP_EXEC = 13;
    public static final int PREP_EXEC_RPC = 14;
    public static final int UNPREPARE = 15;

    /** What {@link #statementParameter} answers for a procedure that has none. */
    public static final int NO_PARAMETER = -1;

    /** By number: the first is that of {@link #NONE}. */
    private static final String[] NAMES =
            (" sp_cursor sp_cursoropen sp_cursorprepare sp_cursorexecute sp_cursorprepexec"
                            + " sp_cursorunprepare sp_cursorfetch sp_cursoroption sp_cursorclose"
                            + " sp_executesql sp_prepare sp_execute sp_prepexec sp_prepexecrpc sp_unprepare")
                    .split(" ", -1);

    private SystemProcedure() {}

    public static boolean isKnown(int procId) {
        return procId > NONE && procId < NAMES.length;
    }

    /** Empty for a number that is not known. */
    public static String name(int procId) {
        return isKnown(procId) ? NAMES[procId] : "";
    }

    /**
     * The number of the procedure with that name, or {@link #NONE}. Plain, or in the schema sys or dbo, these names are the
     * system's; brackets make no difference. In another schema the procedure may be a user's own, in another database the
     * system's works with what is there, and on another server its handles are that server's: each of them is none of these.
     */
    public static int byName(CharSequence name) {
        int dot = lastDot(name);
        if (dot >= 0 && !isPart("sys", name, 0, dot) && !isPart("dbo", name, 0, dot)) {
            return NONE;
        }
        for (int id = 1; id < NAMES.length; id++) {
            if (isPart(NAMES[id], name, dot + 1, name.length())) {
                return id;
            }
        }
        return NONE;
    }

    private static int lastDot(CharSequence name) {
        int at = name.length() - 1;
        while (at >= 0 && name.charAt(at) != '.') {
            at--;
        }
        return at;
    }

    /** Whether a part of a name is this one, as it is or in brackets. */
    private static boolean isPart(String known, CharSequence name, int start, int end) {
        boolean inBrackets = end - start >= 2 && name.charAt(start) == '[' && name.charAt(end - 1) == ']';
        return inBrackets ? same(known, name, start + 1, end - 1) : same(known, name, start, end);
    }

    private static boolean same(String known, CharSequence name, int start, int end) {
        if (known.length() != end - start) {
            return false;
        }
        for (int i = 0; i < known.length(); i++) {
            char c = name.charAt(start + i);
            char lower = c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
            if (lower != known.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Which parameter, from 0, is the T-SQL text that the procedure runs or prepares; or {@link #NO_PARAMETER}. */
    public static int statementParameter(int procId) {
        return switch (procId) {
            case EXECUTE_SQL -> 0;
            case CURSOR_OPEN, PREP_EXEC_RPC -> 1;
            case PREPARE, PREP_EXEC, CURSOR_PREPARE -> 2;
            case CURSOR_PREP_EXEC -> 3;
            default -> NO_PARAMETER;
        };
    }

    /** Which parameter, from 0, declares the statement's own parameters; or {@link #NO_PARAMETER}. */
    public static int declarationParameter(int procId) {
        return switch (procId) {
            case EXECUTE_SQL, PREPARE, PREP_EXEC, CURSOR_PREPARE -> 1;
            case CURSOR_PREP_EXEC -> 2;
            default -> NO_PARAMETER;
        };
    }

    /**
     * Which parameter, from 0, is the handle of a prepared statement, given or returned; or {@link #NO_PARAMETER}. A cursor
     * has a handle of another kind.
     */
    public static int preparedHandleParameter(int procId) {
        return switch (procId) {
            case PREPARE, EXECUTE, PREP_EXEC, PREP_EXEC_RPC, UNPREPARE -> 0;
            case CURSOR_PREPARE, CURSOR_EXECUTE, CURSOR_PREP_EXEC, CURSOR_UNPREPARE -> 0;
            default -> NO_PARAMETER;
        };
    }

    /** Which parameter, from 0, is the handle of a cursor, given or returned; or {@link #NO_PARAMETER}. */
    public static int cursorHandleParameter(int procId) {
        return switch (procId) {
            case CURSOR, CURSOR_OPEN, CURSOR_FETCH, CURSOR_OPTION, CURSOR_CLOSE -> 0;
            case CURSOR_EXECUTE, CURSOR_PREP_EXEC -> 1;
            default -> NO_PARAMETER;
        };
    }
}
