package dev.comporta.tds.token.walk;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.WireFormat;
import dev.comporta.tds.type.Collation;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;

/** Walks the description of one column, in COLMETADATA or ALTMETADATA. */
final class ColumnWalker {
    private enum State {
        HEAD,
        TYPE,
        TABLE_PARTS,
        TABLE,
        CRYPTO,
        NAME
    }

    /** UserType, Flags, type, length, collation, and the length of the name. */
    private static final int LONGEST_COMMON = Integer.BYTES + Short.BYTES + 1 + Short.BYTES + Collation.BYTES + 1;

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
        if (state != State.HEAD) {
            state = State.HEAD;
        }
    }

    /** The column as {@link Columns} stores it. */
    int column() {
        return column;
    }

    /**
     * Walks a column in one step if it is of a common type and surely within the packet. Not for logins that negotiated column
     * encryption.
     *
     * @return false if it has to be walked field by field; nothing has been consumed then
     */
    boolean walkWhole(ByteBuf packet, TdsVersion version) {
        if (!cursor.has(LONGEST_COMMON) || !version.hasLongUserTypes()) {
            return false;
        }
        int at = cursor.at;
        long head = packet.getLongLE(at); // UserType 4, Flags 2, the type, and the byte after it
        DataType dataType = DataType.of((int) (head >>> 48) & 0xFF);
        int afterType = at + 7;
        int next;
        switch (dataType) {
            case INT1, BIT, INT2, INT4, DATETIM4, FLT4, MONEY, DATETIME, FLT8, MONEY4, INT8 -> {
                column = Columns.of(Columns.FIXED, dataType.fixedLength());
                next = afterType;
            }
            case GUID, INTN, BITN, FLTN, MONEYN, DATETIMN -> {
                column = Columns.of(Columns.BYTE_LENGTH, (int) (head >>> 56));
                next = afterType + 1;
            }
            case DECIMALN, NUMERICN -> {
                column = Columns.of(Columns.BYTE_LENGTH, (int) (head >>> 56));
                next = afterType + 3;
            }
            case BIGVARCHR, NVARCHAR -> {
                int length = packet.getUnsignedShortLE(afterType);
                column = length == TypeInfo.PLP_LENGTH
                        ? Columns.of(Columns.PLP, 0)
                        : Columns.of(Columns.SHORT_LENGTH, length);
                next = afterType + Short.BYTES + Collation.BYTES;
            }
            default -> {
                return false;
            }
        }
        cursor.moveTo(next + 1 + 2 * packet.getUnsignedByte(next));
        return true;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, WireFormat format) {
        while (true) {
            switch (state) {
                case HEAD -> {
                    if (!head(packet, format.version())) {
                        return false;
                    }
                }
                case TYPE -> {
                    if (!type.walk(packet, format.version())) {
                        return false;
                    }
                    column = type.column();
                    state = type.type().hasTextPointer() ? State.TABLE_PARTS : afterTable(format);
                }
                case TABLE_PARTS -> {
                    if (!tableParts(packet, format.version())) {
                        return false;
                    }
                }
                case TABLE -> {
                    if (!table(packet)) {
                        return false;
                    }
                    state = afterTable(format);
                }
                case CRYPTO -> {
                    if (!crypto.walk(packet, format.version())) {
                        return false;
                    }
                    state = State.NAME;
                }
                case NAME -> {
                    if (!cursor.take(packet, 1)) {
                        return false;
                    }
                    cursor.skip(2 * cursor.field);
                    return true;
                }
            }
        }
    }

    /** UserType and Flags. */
    private boolean head(ByteBuf packet, TdsVersion version) {
        if (version.hasLongUserTypes()) {
            if (!cursor.take(packet, 6)) {
                return false;
            }
            flags = (int) (cursor.field >>> 32);
        } else {
            if (!cursor.take(packet, 4)) {
                return false;
            }
            flags = (int) (cursor.field >>> 16);
        }
        type.begin();
        state = State.TYPE;
        return true;
    }

    /** The name of the base table, only for TEXT, NTEXT and IMAGE; from 7.2 on, in parts after their number. */
    private boolean tableParts(ByteBuf packet, TdsVersion version) {
        tablePartsLeft = 1;
        if (version.isAtLeast(TdsVersion.V7_2)) {
            if (!cursor.take(packet, 1)) {
                return false;
            }
            tablePartsLeft = (int) cursor.field;
        }
        names.begin(Names.ONE_LONG_NAME);
        state = State.TABLE;
        return true;
    }

    private boolean table(ByteBuf packet) {
        while (tablePartsLeft > 0) {
            if (!names.walk(packet)) {
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
