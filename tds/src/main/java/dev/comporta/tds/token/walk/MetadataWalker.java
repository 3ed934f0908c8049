package dev.comporta.tds.token.walk;

import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;

/** Walks COLMETADATA and keeps how to skip the values of its columns. */
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
        if (state != State.COUNT) {
            state = State.COUNT;
        }
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, WireFormat format) {
        while (true) {
            boolean here = switch (state) {
                case COUNT -> count(packet, format);
                case KEY_COUNT -> keyCount(packet);
                case KEY -> key(packet);
                case KEY_VALUE -> keyValue(packet);
                case COLUMN -> columns(packet, format);
            };
            if (!here) {
                return false;
            }
            if (columnsLeft == 0 && (state == State.COLUMN || state == State.COUNT)) {
                return true;
            }
        }
    }

    private boolean count(ByteBuf packet, WireFormat format) {
        if (!cursor.take(packet, 2)) {
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
        if (!format.columnEncryption() && wholeColumns(packet, format)) {
            return true;
        }
        state = format.columnEncryption() ? State.KEY_COUNT : State.COLUMN;
        return true;
    }

    /**
     * Walks the columns of common types that are whole in the packet, without a write to the state.
     *
     * @return whether these were all columns
     */
    private boolean wholeColumns(ByteBuf packet, WireFormat format) {
        while (columnsLeft > 0) {
            if (!column.walkWhole(packet, format.version())) {
                return false;
            }
            columns.add(column.column());
            columnsLeft--;
        }
        return true;
    }

    private boolean keyCount(ByteBuf packet) {
        if (!cursor.take(packet, 2)) {
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

    private boolean key(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return false;
        }
        keyValuesLeft = (int) cursor.field;
        names.begin(Names.ENCRYPTED_KEY);
        state = State.KEY_VALUE;
        return true;
    }

    private boolean keyValue(ByteBuf packet) {
        while (keyValuesLeft > 0) {
            if (!names.walk(packet)) {
                return false;
            }
            keyValuesLeft--;
            names.begin(Names.ENCRYPTED_KEY);
        }
        nextKey();
        return true;
    }

    private boolean columns(ByteBuf packet, WireFormat format) {
        while (columnsLeft > 0) {
            if (!column.walk(packet, format)) {
                return false;
            }
            columns.add(column.column());
            column.begin();
            columnsLeft--;
        }
        return true;
    }
}
