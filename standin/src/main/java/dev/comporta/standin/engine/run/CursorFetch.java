package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.procedure.SystemCall;
import dev.comporta.standin.engine.session.ApiCursors;
import dev.comporta.standin.engine.session.Cursor;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** sp_cursorfetch: returns a block of rows; the fetch type decides where it begins. */
final class CursorFetch {
    private static final int FIRST = 0x1;
    private static final int NEXT = 0x2;
    private static final int PREVIOUS = 0x4;
    private static final int LAST = 0x8;
    private static final int ABSOLUTE = 0x10;
    private static final int RELATIVE = 0x20;
    private static final int REFRESH = 0x80;
    private static final int INFO = 0x100;
    private static final int PREVIOUS_NO_ADJUST = 0x200;

    /** A flag on top of the type; a read-only cursor has no concurrency to skip. */
    private static final int SKIP_CONCURRENCY = 0x400;

    private static final int CLOSED_ITSELF = 16;

    private CursorFetch() {}

    static int run(SystemCall call) {
        int handle = call.integer(0, "@cursor", 0);
        ApiCursors.Open open = call.session().apiCursors().get(handle);
        int type = call.integer(1, "@fetchtype", NEXT) & ~SKIP_CONCURRENCY;
        int count = Math.max(0, call.integer(3, "@nrows", 20));
        if (type == INFO) {
            return info(call, open.cursor());
        }
        List<@Nullable Object[]> block = block(open.cursor(), type, call.integer(2, "@rownum", 0), count);
        ApiCursors.send(call.output(), open.cursor(), block, call.session().isBabelfish());
        boolean ended = open.closesItself() && block.size() < count;
        if (ended) {
            call.session().apiCursors().close(handle);
        }
        return ended ? CLOSED_ITSELF : 0;
    }

    private static List<@Nullable Object[]> block(Cursor cursor, int type, int row, int count) {
        long current = cursor.position();
        long first = switch (type) {
            case FIRST -> 1;
            case NEXT -> current + cursor.lastBlock();
            case PREVIOUS, PREVIOUS_NO_ADJUST -> current - count;
            case LAST -> Math.max(1, cursor.size() - count + 1L);
            case ABSOLUTE -> row < 0 ? cursor.size() + row + 1L : row;
            case RELATIVE -> current + row;
            case REFRESH -> current;
            default ->
                throw SqlError.statement(16911, 16, 1, "sp_cursorfetch: The fetch type " + type + " is unknown.");
        };
        // PREVIOUS moves a block that would begin before the first row to the first row; PREVIOUS_NO_ADJUST does not.
        boolean adjusts = type == PREVIOUS && first < 1 && current > 1;
        return cursor.fetch(adjusts ? 1 : first, adjusts ? (int) Math.min(count, current - 1) : count);
    }

    /** The cursor's position, and the number of its rows. */
    private static int info(SystemCall call, Cursor cursor) {
        int position = cursor.position() > cursor.size() ? -1 : cursor.position();
        call.setOutput(2, "@rownum", Types.INT, position);
        call.setOutput(3, "@nrows", Types.INT, cursor.size());
        return 0;
    }
}
