package dev.comporta.tds.token;

/** Passes over COLMETADATA and learns the columns from it. */
final class MetadataWalker {
    private enum State {
        COUNT,
        KEY_COUNT,
        KEY,
        KEY_VALUE,
        COLUMN
    }

    /** The client asked for no metadata: it knows the columns, and we don't. */
    private static final int NO_METADATA = 0xFFFF;

    /** Database, key, version and metadata version of an encryption key. */
    private static final int KEY_IDENTITY = 3 * Integer.BYTES + Long.BYTES;

    private final Cursor cursor;
    private final Columns columns;
    private final ColumnWalker column;
    private final Names names;
    private State state = State.COUNT;
    private int columnsLeft;
    private int keysLeft;
    private int keyValuesLeft;

    MetadataWalker(Cursor cursor, Columns columns) {
        this.cursor = cursor;
        this.columns = columns;
        column = new ColumnWalker(cursor);
        names = new Names(cursor);
    }

    void begin() {
        columns.forget();
        state = State.COUNT;
    }

    /** @return false when the rest is in the next packet */
    boolean walk(WireFormat format) {
        while (true) {
            boolean here = switch (state) {
                case COUNT -> count(format);
                case KEY_COUNT -> keyCount();
                case KEY -> key();
                case KEY_VALUE -> keyValue();
                case COLUMN -> columns(format);
            };
            if (!here) {
                return false;
            }
            if (columnsLeft == 0 && state == State.COLUMN) {
                return true;
            }
        }
    }

    private boolean count(WireFormat format) {
        if (!cursor.take(2)) {
            return false;
        }
        columnsLeft = (int) cursor.field;
        if (columnsLeft == NO_METADATA) {
            columnsLeft = 0;
            state = State.COLUMN;
            return true;
        }
        columns.begin();
        column.begin();
        state = format.columnEncryption() ? State.KEY_COUNT : State.COLUMN;
        return true;
    }

    private boolean keyCount() {
        if (!cursor.take(2)) {
            return false;
        }
        keysLeft = (int) cursor.field;
        nextKey();
        return true;
    }

    private void nextKey() {
        if (keysLeft == 0) {
            state = State.COLUMN;
        } else {
            keysLeft--;
            cursor.skip(KEY_IDENTITY);
            state = State.KEY;
        }
    }

    private boolean key() {
        if (!cursor.take(1)) {
            return false;
        }
        keyValuesLeft = (int) cursor.field;
        names.begin(Names.ENCRYPTED_KEY);
        state = State.KEY_VALUE;
        return true;
    }

    private boolean keyValue() {
        while (keyValuesLeft > 0) {
            if (!names.walk()) {
                return false;
            }
            keyValuesLeft--;
            names.begin(Names.ENCRYPTED_KEY);
        }
        nextKey();
        return true;
    }

    private boolean columns(WireFormat format) {
        while (columnsLeft > 0) {
            if (!column.walk(format)) {
                return false;
            }
            columns.add(column.column());
            column.begin();
            columnsLeft--;
        }
        return true;
    }
}
