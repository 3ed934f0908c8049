package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import java.util.Arrays;

/** The layout of the values in a table-valued parameter's rows; the array is reused for every such parameter. */
final class TableColumns {
    static final int END_TOKEN = 0x00;
    private static final int ROW_TOKEN = 0x01;
    private static final int ORDER_UNIQUE_TOKEN = 0x10;
    private static final int COLUMN_ORDERING_TOKEN = 0x11;
    private static final int NO_METADATA = 0xFFFF;
    private static final int MAX_COLUMNS = 1024;

    /** The rows don't carry the column. */
    private static final int FLAG_DEFAULT = 0x0200;

    private byte[] kinds = new byte[16];
    private int count;
    private int described;
    private int carried;
    private int next;
    private boolean carriesNext;

    void begin(int columnCount) {
        count = columnCount == NO_METADATA ? 0 : columnCount;
        if (count > MAX_COLUMNS || columnCount == 0) {
            throw new ProtocolException("table-valued parameter of %d columns".formatted(columnCount));
        }
        if (kinds.length < count) {
            kinds = Arrays.copyOf(kinds, count);
        }
        described = 0;
        carried = 0;
    }

    void flags(int flags) {
        carriesNext = (flags & FLAG_DEFAULT) == 0;
    }

    /**
     * Describes the next column by the kind of its {@link TypeLayout}. No table type has a column without a type, whose values
     * take no bytes: a row of a thousand of them would be one byte to receive, and a thousand steps to walk.
     */
    void add(int kind) {
        if (kind == 0) {
            throw new ProtocolException("column without a type in a table-valued parameter");
        }
        described++;
        if (carriesNext) {
            kinds[carried++] = (byte) kind;
        }
    }

    boolean isComplete() {
        return described == count;
    }

    boolean isRow(int token) {
        if (token == ROW_TOKEN && count > 0) {
            return true;
        }
        if (token != END_TOKEN) {
            throw new ProtocolException("token 0x%02x among a table-valued parameter's rows".formatted(token));
        }
        return false;
    }

    void beginRow() {
        next = 0;
    }

    boolean hasNextValue() {
        return next < carried;
    }

    int nextKind() {
        return kinds[next++];
    }

    /** Orderings are hints to the optimizer: a number of entries, each of this many bytes. */
    static int orderEntryLength(int token) {
        return switch (token) {
            case ORDER_UNIQUE_TOKEN -> 3;
            case COLUMN_ORDERING_TOKEN -> 2;
            default ->
                throw new ProtocolException("token 0x%02x in a table-valued parameter's metadata".formatted(token));
        };
    }
}
