package dev.comporta.tds.request;

/**
 * The procedures that an RPC may call by number. Drivers call them by name as well, so names are mapped to the numbers
 * here. Ints, not an enum: they are compared for every RPC.
 */
public final class SystemProcedure {
    /** Any other procedure, which can be called by name only. */
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

    /** What {@link #statementParameter} and its siblings return for a procedure without such a parameter. */
    public static final int NO_PARAMETER = -1;

    /** Names by number; the first is that of {@link #NONE}. */
    private static final String[] NAMES =
            (" sp_cursor sp_cursoropen sp_cursorprepare sp_cursorexecute sp_cursorprepexec"
                            + " sp_cursorunprepare sp_cursorfetch sp_cursoroption sp_cursorclose"
                            + " sp_executesql sp_prepare sp_execute sp_prepexec sp_prepexecrpc sp_unprepare")
                    .split(" ", -1);

    private SystemProcedure() {}

    public static boolean isKnown(int procId) {
        return procId > NONE && procId < NAMES.length;
    }

    /** Empty for an unknown number. */
    public static String name(int procId) {
        return isKnown(procId) ? NAMES[procId] : "";
    }

    /**
     * The number of the procedure with that name, or {@link #NONE}. Without a schema, or in the schema sys or dbo, these names
     * are the system procedures; brackets make no difference. A name in another schema may be a user's own procedure, in
     * another database it works on that database, and on another server its handles are that server's: all these are NONE.
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

    /** Whether a part of a name equals this one, with or without brackets. */
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

    /** The index from 0 of the parameter with the T-SQL text that the procedure runs or prepares; or {@link #NO_PARAMETER}. */
    public static int statementParameter(int procId) {
        return switch (procId) {
            case EXECUTE_SQL -> 0;
            case CURSOR_OPEN, PREP_EXEC_RPC -> 1;
            case PREPARE, PREP_EXEC, CURSOR_PREPARE -> 2;
            case CURSOR_PREP_EXEC -> 3;
            default -> NO_PARAMETER;
        };
    }

    /** The index from 0 of the parameter that declares the statement's own parameters; or {@link #NO_PARAMETER}. */
    public static int declarationParameter(int procId) {
        return switch (procId) {
            case EXECUTE_SQL, PREPARE, PREP_EXEC, CURSOR_PREPARE -> 1;
            case CURSOR_PREP_EXEC -> 2;
            default -> NO_PARAMETER;
        };
    }

    /**
     * The index from 0 of the parameter with the handle of a prepared statement, input or output; or {@link #NO_PARAMETER}.
     * Handles of cursors are separate.
     */
    public static int preparedHandleParameter(int procId) {
        return switch (procId) {
            case PREPARE, EXECUTE, PREP_EXEC, PREP_EXEC_RPC, UNPREPARE -> 0;
            case CURSOR_PREPARE, CURSOR_EXECUTE, CURSOR_PREP_EXEC, CURSOR_UNPREPARE -> 0;
            default -> NO_PARAMETER;
        };
    }

    /** Whether it gives the handle of a prepared statement back. */
    public static boolean unprepares(int procId) {
        return procId == UNPREPARE || procId == CURSOR_UNPREPARE;
    }

    /** The index from 0 of the parameter with the handle of a cursor, input or output; or {@link #NO_PARAMETER}. */
    public static int cursorHandleParameter(int procId) {
        return switch (procId) {
            case CURSOR, CURSOR_OPEN, CURSOR_FETCH, CURSOR_OPTION, CURSOR_CLOSE -> 0;
            case CURSOR_EXECUTE, CURSOR_PREP_EXEC -> 1;
            default -> NO_PARAMETER;
        };
    }
}
