package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cursors that drivers open by sp_cursoropen and related procedures, by handle. */
public final class ApiCursors {
    /** Handles look like SQL Server's, because drivers treat 0 as no handle. */
    private static final int FIRST_HANDLE = 180_150_003;

    /**
     * @param scrollOption the option that the server granted
     * @param closesItself AUTO_CLOSE: the fetch that reaches the end closes it
     */
    public record Open(Cursor cursor, int scrollOption, int concurrency, boolean closesItself) {}

    /** The last column of every API cursor: the status of the row. Drivers rely on it, and hide it. */
    private static final Column ROWSTAT = new Column("ROWSTAT", Types.INT, false, false);

    private static final int FETCHED = 1;

    private final Map<Integer, Open> cursors = new HashMap<>();
    private int last = FIRST_HANDLE - 2;

    /**
     * Sends a block of a cursor's rows, which may be empty.
     *
     * @param conceals whether the last value of each row is sent without being described
     */
    public static void send(Output output, Cursor cursor, List<@Nullable Object[]> block, boolean conceals) {
        List<Column> columns = new ArrayList<>(cursor.columns());
        columns.add(ROWSTAT);
        output.columns(columns, conceals ? 1 : 0);
        for (@Nullable Object[] row : block) {
            @Nullable Object[] withStatus = Arrays.copyOf(row, row.length + 1);
            withStatus[row.length] = FETCHED;
            output.row(withStatus);
        }
        output.done(Response.Done.DONEINPROC, Command.SELECT, block.size(), false);
    }

    public int add(Open open) {
        last += 2;
        cursors.put(last, open);
        return last;
    }

    public Open get(int handle) {
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

    public void close(int handle) {
        get(handle);
        cursors.remove(handle);
    }

    public void closeAll() {
        cursors.clear();
    }
}
