package dev.comporta.tds.token;

import dev.comporta.tds.TdsVersion;

/** Passes over the description of one column, in COLMETADATA or ALTMETADATA. */
final class ColumnWalker {
    private enum State {
        HEAD,
        TYPE,
        TABLE_PARTS,
        TABLE,
        CRYPTO,
        NAME
    }

    private final Cursor cursor;
    private final TypeWalker type;
    private final CryptoWalker crypto;
    private final Names names;
    private State state = State.HEAD;
    private int flags;
    private int column;
    private int tablePartsLeft;

    ColumnWalker(Cursor cursor) {
        this.cursor = cursor;
        type = new TypeWalker(cursor);
        crypto = new CryptoWalker(cursor);
        names = new Names(cursor);
    }

    void begin() {
        state = State.HEAD;
    }

    /** As {@link Columns} keeps it. */
    int column() {
        return column;
    }

    /** @return false when the rest is in the next packet */
    boolean walk(WireFormat format) {
        while (true) {
            switch (state) {
                case HEAD -> {
                    if (!head(format.version())) {
                        return false;
                    }
                }
                case TYPE -> {
                    if (!type.walk(format.version())) {
                        return false;
                    }
                    column = type.column();
                    state = type.type().hasTextPointer() ? State.TABLE_PARTS : afterTable(format);
                }
                case TABLE_PARTS -> {
                    if (!tableParts(format.version())) {
                        return false;
                    }
                }
                case TABLE -> {
                    if (!table()) {
                        return false;
                    }
                    state = afterTable(format);
                }
                case CRYPTO -> {
                    if (!crypto.walk(format.version())) {
                        return false;
                    }
                    state = State.NAME;
                }
                case NAME -> {
                    if (!cursor.take(1)) {
                        return false;
                    }
                    cursor.skip(2 * cursor.field);
                    return true;
                }
            }
        }
    }

    /** UserType and Flags. */
    private boolean head(TdsVersion version) {
        if (version.hasLongUserTypes()) {
            if (!cursor.take(6)) {
                return false;
            }
            flags = (int) (cursor.field >>> 32);
        } else {
            if (!cursor.take(4)) {
                return false;
            }
            flags = (int) (cursor.field >>> 16);
        }
        type.begin();
        state = State.TYPE;
        return true;
    }

    /** The name of the base table, of TEXT, NTEXT and IMAGE alone: in parts that are counted from 7.2 on. */
    private boolean tableParts(TdsVersion version) {
        tablePartsLeft = 1;
        if (version.isAtLeast(TdsVersion.V7_2)) {
            if (!cursor.take(1)) {
                return false;
            }
            tablePartsLeft = (int) cursor.field;
        }
        names.begin(Names.ONE_LONG_NAME);
        state = State.TABLE;
        return true;
    }

    private boolean table() {
        while (tablePartsLeft > 0) {
            if (!names.walk()) {
                return false;
            }
            tablePartsLeft--;
            names.begin(Names.ONE_LONG_NAME);
        }
        return true;
    }

    private State afterTable(WireFormat format) {
        if (format.columnEncryption() && (flags & ColumnMetadata.ENCRYPTED) != 0) {
            crypto.begin(true);
            return State.CRYPTO;
        }
        return State.NAME;
    }
}
