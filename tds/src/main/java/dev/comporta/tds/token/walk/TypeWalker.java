package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.type.Collation;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;

/** Walks TYPE_INFO and finds out how to skip the values. */
final class TypeWalker {
    private enum State {
        TYPE,
        SCALE,
        BYTE_LENGTH,
        SHORT_LENGTH,
        LONG_LENGTH,
        XML_SCHEMA,
        NAMES
    }

    private static final int PLP_LENGTH = 0xFFFF;

    private final Cursor cursor;
    private final Names names;
    private State state = State.TYPE;
    private DataType type = DataType.NULL;
    private int column;

    TypeWalker(Cursor cursor) {
        this.cursor = cursor;
        names = new Names(cursor);
    }

    void begin() {
        state = State.TYPE;
    }

    DataType type() {
        return type;
    }

    /** The column as {@link Columns} stores it. */
    int column() {
        return column;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, TdsVersion version) {
        if (state == State.TYPE) {
            if (!cursor.take(packet, 1)) {
                return false;
            }
            type = DataType.of((int) cursor.field);
            if (!version.isAtLeast(type.since())) {
                throw new ProtocolException(type + " does not exist in TDS " + version);
            }
            state = afterType();
            if (state == State.TYPE) {
                return true;
            }
        }
        return switch (state) {
            case TYPE -> throw new IllegalStateException();
            case SCALE -> scale(packet);
            case BYTE_LENGTH -> byteLength(packet);
            case SHORT_LENGTH -> shortLength(packet);
            case LONG_LENGTH -> longLength(packet);
            case XML_SCHEMA -> xmlSchema(packet);
            case NAMES -> names.walk(packet);
        };
    }

    /** The state after the type's byte; {@link State#TYPE} if nothing follows it. */
    private State afterType() {
        return switch (type) {
            case NULL, INT1, BIT, INT2, INT4, DATETIM4, FLT4, MONEY, DATETIME, FLT8, MONEY4, INT8 -> {
                column = Columns.of(Columns.FIXED, type.fixedLength());
                yield State.TYPE;
            }
            case DATEN -> {
                column = Columns.of(Columns.BYTE_LENGTH, 3);
                yield State.TYPE;
            }
            case JSON -> {
                column = Columns.of(Columns.PLP, 0);
                yield State.TYPE;
            }
            case TIMEN, DATETIME2N, DATETIMEOFFSETN -> State.SCALE;
            case GUID, INTN, BITN, FLTN, MONEYN, DATETIMN -> State.BYTE_LENGTH;
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN, CHAR, VARCHAR, BINARY, VARBINARY -> State.BYTE_LENGTH;
            case BIGVARBIN, BIGVARCHR, BIGBINARY, BIGCHAR, NVARCHAR, NCHAR, VECTOR -> State.SHORT_LENGTH;
            case TEXT, NTEXT, IMAGE, SSVARIANT -> State.LONG_LENGTH;
            case XML -> {
                column = Columns.of(Columns.PLP, 0);
                yield State.XML_SCHEMA;
            }
            case UDT -> {
                column = Columns.of(Columns.PLP, 0);
                cursor.skip(Short.BYTES);
                names.begin(Names.CLR_TYPE);
                yield State.NAMES;
            }
            case TVP -> throw new ProtocolException("TVP in a response");
        };
    }

    private boolean scale(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return false;
        }
        int scale = (int) cursor.field;
        if (scale > 7) {
            throw new ProtocolException("scale %d of fractional seconds: 7 is the finest".formatted(scale));
        }
        int time = scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
        int rest = type == DataType.TIMEN ? 0 : type == DataType.DATETIME2N ? 3 : 5;
        column = Columns.of(Columns.BYTE_LENGTH, time + rest);
        return true;
    }

    private boolean byteLength(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return false;
        }
        column = Columns.of(Columns.BYTE_LENGTH, (int) cursor.field);
        switch (type) {
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN -> cursor.skip(2);
            case CHAR, VARCHAR -> cursor.skip(Collation.BYTES);
            default -> {}
        }
        return true;
    }

    private boolean shortLength(ByteBuf packet) {
        if (!cursor.take(packet, 2)) {
            return false;
        }
        int length = (int) cursor.field;
        boolean isMax = length == PLP_LENGTH && type != DataType.VECTOR;
        // In every version: Babelfish sends (max) types to clients of 7.1 too; the length has no other meaning.
        if (isMax && !type.canBeMax()) {
            throw new ProtocolException("%s(max) does not exist".formatted(type));
        }
        column = isMax ? Columns.of(Columns.PLP, 0) : Columns.of(Columns.SHORT_LENGTH, length);
        if (type.hasCollation()) {
            cursor.skip(Collation.BYTES);
        } else if (type == DataType.VECTOR) {
            cursor.skip(1);
        }
        return true;
    }

    private boolean longLength(ByteBuf packet) {
        if (!cursor.take(packet, 4)) {
            return false;
        }
        column = Columns.of(type.hasTextPointer() ? Columns.TEXT_POINTER : Columns.LONG_LENGTH, 0);
        if (type.hasCollation()) {
            cursor.skip(Collation.BYTES);
        }
        return true;
    }

    private boolean xmlSchema(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return false;
        }
        if (cursor.field == 0) {
            return true;
        }
        names.begin(Names.XML_SCHEMA);
        state = State.NAMES;
        return names.walk(packet);
    }
}
