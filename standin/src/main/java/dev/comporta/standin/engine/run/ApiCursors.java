package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import java.util.HashMap;
import java.util.Map;

/** The cursors that drivers open by sp_cursoropen and its kin, by handle. */
final class ApiCursors {
    /** Handles look like SQL Server's: drivers treat 0 as none. */
    private static final int FIRST_HANDLE = 180_150_003;

    /**
     * @param scrollOption what the server made of it
     * @param closesItself AUTO_CLOSE: the fetch that reaches the end closes it
     */
    record Open(Cursor cursor, int scrollOption, int concurrency, boolean closesItself) {}

    private final Map<Integer, Open> cursors = new HashMap<>();
    private int last = FIRST_HANDLE - 2;

    int add(Open open) {
        last += 2;
        cursors.put(last, open);
        return last;
    }

    Open get(int handle) {
        Open open = cursors.get(handle);
        if (open == null) {
            throw SqlError.statement(
                    16909,
                    16,
                    1,
                    "sp_cursor: The cursor identifier value provided (" + Integer.toHexString(handle)
                            + ") is not valid.");
        }
        return open;
    }

    void close(int handle) {
        get(handle);
        cursors.remove(handle);
    }

    void closeAll() {
        cursors.clear();
    }

    int count() {
        return cursors.size();
    }
}
