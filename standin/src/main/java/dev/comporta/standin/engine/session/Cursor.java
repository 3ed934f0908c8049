package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open cursor: always static, whatever the client asked for. Its rows are those of the moment when it was opened. */
public final class Cursor {
    private final List<Column> columns;
    private final List<@Nullable Object[]> rows;

    /** From 1; 0 is before the first row, size + 1 after the last. */
    private int position;

    private int lastBlock = 1;

    public Cursor(List<Column> columns, List<@Nullable Object[]> rows) {
        this.columns = columns;
        this.rows = rows;
    }

    public List<Column> columns() {
        return columns;
    }

    public int size() {
        return rows.size();
    }

    public int position() {
        return position;
    }

    /** The number of rows of the last fetch: the next block begins that much later. */
    public int lastBlock() {
        return lastBlock;
    }

    /** Moves to a row and returns up to {@code count} rows from there; the position is that of the first row returned. */
    public List<@Nullable Object[]> fetch(long first, int count) {
        List<@Nullable Object[]> block = new ArrayList<>();
        lastBlock = 1;
        if (first > rows.size()) {
            position = rows.size() + 1;
            lastBlock = 0;
            return block;
        }
        long from = first;
        int wanted = count;
        if (from < 1) {
            // Of a block that begins before the first row, only the part from the first row on is returned.
            wanted = (int) Math.max(0, wanted + from - 1);
            from = 1;
            if (wanted == 0) {
                position = 0;
                return block;
            }
        }
        position = (int) from;
        for (int i = position; i < position + wanted && i <= rows.size(); i++) {
            block.add(rows.get(i - 1));
        }
        lastBlock = block.size();
        return block;
    }

    public void beforeFirst() {
        position = 0;
    }
}
