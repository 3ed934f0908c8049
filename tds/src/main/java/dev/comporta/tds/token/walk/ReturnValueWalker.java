package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.WireFormat;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;

/**
 * Walks RETURNVALUE, and reads the value if it is an integer. Before TDS 7.2 the token begins with its length in place of
 * the ordinal: then this class counts the values of a call. That length is ignored, because not every server writes the
 * true one (Babelfish always writes 13), and the fields of the token tell where it ends.
 */
final class ReturnValueWalker {
    private enum State {
        LENGTH_OR_ORDINAL,
        NAME,
        HEAD,
        TYPE,
        CRYPTO,
        INTEGER_LENGTH,
        INTEGER,
        OTHER
    }

    private final Cursor cursor;
    private final TokenSink sink;
    private final Names names;
    private final TypeWalker type;
    private final CryptoWalker crypto;
    private final RowWalker value;
    private final int[] column = new int[1];
    private State state = State.LENGTH_OR_ORDINAL;
    private int ordinal;
    /** Values that the call has returned so far. */
    private int returned;

    private int flags;
    private int integerBytes;

    ReturnValueWalker(Cursor cursor, TokenSink sink) {
        this.cursor = cursor;
        this.sink = sink;
        names = new Names(cursor);
        type = new TypeWalker(cursor);
        crypto = new CryptoWalker(cursor);
        value = new RowWalker(cursor);
    }

    void begin() {
        state = State.LENGTH_OR_ORDINAL;
    }

    /** The values from here on belong to another call. */
    void beginCall() {
        returned = 0;
    }

    /** Whether the next byte belongs to the ordinal, to an integer, or to its length. */
    boolean isAtNumber() {
        return state == State.LENGTH_OR_ORDINAL || state == State.INTEGER_LENGTH || state == State.INTEGER;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, WireFormat format) {
        while (true) {
            switch (state) {
                case LENGTH_OR_ORDINAL -> {
                    if (!lengthOrOrdinal(packet, format.version())) {
                        return false;
                    }
                }
                case NAME -> {
                    if (!names.walk(packet)) {
                        return false;
                    }
                    state = State.HEAD;
                }
                case HEAD -> {
                    if (!head(packet, format.version())) {
                        return false;
                    }
                }
                case TYPE -> {
                    if (!type.walk(packet, format.version())) {
                        return false;
                    }
                    afterType(format);
                }
                case CRYPTO -> {
                    if (!crypto.walk(packet, format.version())) {
                        return false;
                    }
                    beginOther();
                }
                case INTEGER_LENGTH -> {
                    if (!cursor.take(packet, 1)) {
                        return false;
                    }
                    if (cursor.field == 0) {
                        sink.returnNull(ordinal);
                        return true;
                    }
                    integerBytes = integerBytes((int) cursor.field);
                    state = State.INTEGER;
                }
                case INTEGER -> {
                    return integer(packet);
                }
                case OTHER -> {
                    if (!value.walk(packet)) {
                        return false;
                    }
                    sink.returnOther(ordinal);
                    return true;
                }
            }
        }
    }

    private boolean lengthOrOrdinal(ByteBuf packet, TdsVersion version) {
        if (!cursor.take(packet, 2)) {
            return false;
        }
        if (version.hasReturnOrdinals()) {
            ordinal = (int) cursor.field;
            sink.returnOrdinal(ordinal, cursor.position() - Short.BYTES);
        } else {
            ordinal = returned;
        }
        returned++;
        names.begin(Names.ONE_NAME);
        state = State.NAME;
        return true;
    }

    /** Status, UserType and Flags. */
    private boolean head(ByteBuf packet, TdsVersion version) {
        if (!cursor.take(packet, version.hasLongUserTypes() ? 7 : 5)) {
            return false;
        }
        flags = (int) (cursor.field >>> (version.hasLongUserTypes() ? 40 : 24));
        type.begin();
        state = State.TYPE;
        return true;
    }

    private void afterType(WireFormat format) {
        // Unlike in a row, no text pointer comes before a value.
        column[0] = type.type().hasTextPointer() ? Columns.of(Columns.LONG_LENGTH, 0) : type.column();
        if (format.columnEncryption() && (flags & ColumnMetadata.ENCRYPTED) != 0) {
            crypto.begin(false);
            state = State.CRYPTO;
        } else if (type.type() == DataType.INTN) {
            state = State.INTEGER_LENGTH;
        } else if (isFixedInteger(type.type())) {
            integerBytes = type.type().fixedLength();
            state = State.INTEGER;
        } else {
            beginOther();
        }
    }

    private void beginOther() {
        value.beginValue(column);
        state = State.OTHER;
    }

    private boolean integer(ByteBuf packet) {
        if (!cursor.take(packet, integerBytes)) {
            return false;
        }
        int unused = Long.SIZE - Byte.SIZE * integerBytes;
        // Only tinyint is unsigned.
        long signed = integerBytes == 1 ? cursor.field : cursor.field << unused >> unused;
        sink.returnInteger(ordinal, signed, cursor.position() - integerBytes, integerBytes);
        return true;
    }

    private static boolean isFixedInteger(DataType type) {
        return type == DataType.INT1 || type == DataType.INT2 || type == DataType.INT4 || type == DataType.INT8;
    }

    private static int integerBytes(int length) {
        if (length != 1 && length != 2 && length != 4 && length != 8) {
            throw new ProtocolException("integer of %d bytes".formatted(length));
        }
        return length;
    }
}
