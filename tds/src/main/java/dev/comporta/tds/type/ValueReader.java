package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads values: the length, then the content. */
final class ValueReader {
    private static final int NULL_SHORT_LENGTH = 0xFFFF;
    private static final int NULL_LONG_LENGTH = -1;
    private static final int TIMESTAMP = 8;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private ValueReader() {}

    static @Nullable Object read(ByteBuf in, TypeInfo info, boolean inRow) {
        try {
            if (info.type() == DataType.TVP) {
                return TableValue.read(in);
            }
            if (info.isPlp()) {
                byte[] value = Plp.read(in);
                return value == null ? null : body(Unpooled.wrappedBuffer(value), info, value.length);
            }
            int length = length(in, info, inRow);
            if (length < 0) {
                return null;
            }
            int end = in.readerIndex() + length;
            Object value = body(in, info, length);
            if (in.readerIndex() != end) {
                throw wrongLength(info.type(), length);
            }
            return value;
        } catch (IndexOutOfBoundsException _) {
            throw TypeInfo.cutShort(info.type());
        }
    }

    static void skip(ByteBuf in, TypeInfo info, boolean inRow) {
        try {
            if (info.type() == DataType.TVP) {
                TableValue.skip(in);
            } else if (info.isPlp()) {
                Plp.skip(in);
            } else {
                in.skipBytes(Math.max(0, length(in, info, inRow)));
            }
        } catch (IndexOutOfBoundsException _) {
            throw TypeInfo.cutShort(info.type());
        }
    }

    /** Reads the length, or -1 for null, and checks that this many bytes have arrived. */
    private static int length(ByteBuf in, TypeInfo info, boolean inRow) {
        int length = switch (info.type().length()) {
            case FIXED -> info.type() == DataType.NULL ? -1 : info.type().fixedLength();
            case BYTE -> nullIf(in.readUnsignedByte(), 0);
            case USHORT -> nullIf(in.readUnsignedShortLE(), NULL_SHORT_LENGTH);
            case LONG -> longLength(in, info.type(), inRow);
            case PLP, TABLE -> throw new IllegalStateException(info.type() + " has no single length");
        };
        if (length > in.readableBytes()) {
            throw TypeInfo.cutShort(info.type());
        }
        return length;
    }

    private static int longLength(ByteBuf in, DataType type, boolean inRow) {
        if (inRow && type.hasTextPointer()) {
            int pointer = in.readUnsignedByte();
            if (pointer == 0) {
                return -1;
            }
            in.skipBytes(pointer + TIMESTAMP);
        }
        int length = in.readIntLE();
        if (length < NULL_LONG_LENGTH) {
            throw new ProtocolException("%s of %d bytes".formatted(type, Integer.toUnsignedLong(length)));
        }
        return type == DataType.SSVARIANT ? nullIf(length, 0) : length;
    }

    private static int nullIf(int length, int nullLength) {
        return length == nullLength ? -1 : length;
    }

    /** Reads the value from this many bytes, which have arrived. */
    private static Object body(ByteBuf in, TypeInfo info, int length) {
        return switch (info.type()) {
            case NULL, TVP -> throw new IllegalStateException();
            case BIT, BITN -> in.readByte() != 0;
            case INT1, INT2, INT4, INT8, INTN -> integer(in, info.type(), length);
            case FLT4, FLT8, FLTN -> floating(in, info.type(), length);
            case MONEY, MONEY4, MONEYN -> Decimals.readMoney(in, fourOrEight(info.type(), length));
            case DATETIM4, DATETIME, DATETIMN -> Temporals.readDateTime(in, fourOrEight(info.type(), length));
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN -> Decimals.readDecimal(in, length, info.scale());
            case GUID -> guid(in);
            case DATEN -> Temporals.readDate(in);
            case TIMEN -> Temporals.readTime(in, length, info.scale());
            case DATETIME2N -> Temporals.readDateTime2(in, length, info.scale());
            case DATETIMEOFFSETN -> Temporals.readDateTimeOffset(in, length, info.scale());
            case CHAR, VARCHAR, BIGCHAR, BIGVARCHR, TEXT ->
                text(in, length, info.collationOrDefault().charset());
            case NCHAR, NVARCHAR, NTEXT -> utf16(in, info.type(), length);
            case XML -> withoutByteOrderMark(utf16(in, info.type(), length));
            case JSON -> text(in, length, StandardCharsets.UTF_8);
            case BINARY, VARBINARY, BIGBINARY, BIGVARBIN, IMAGE, UDT -> bytes(in, length);
            case VECTOR -> Vectors.read(in, length);
            case SSVARIANT -> variant(in, length);
        };
    }

    private static Object integer(ByteBuf in, DataType type, int length) {
        return switch (length) {
            case 1 -> in.readUnsignedByte();
            case 2 -> in.readShortLE();
            case 4 -> in.readIntLE();
            case 8 -> in.readLongLE();
            default -> throw wrongLength(type, length);
        };
    }

    private static Object floating(ByteBuf in, DataType type, int length) {
        return fourOrEight(type, length) == 4 ? (Object) in.readFloatLE() : (Object) in.readDoubleLE();
    }

    private static int fourOrEight(DataType type, int length) {
        if (length != 4 && length != 8) {
            throw wrongLength(type, length);
        }
        return length;
    }

    /** The first three groups of a GUID are little-endian, the rest is in reading order. */
    private static UUID guid(ByteBuf in) {
        long high = in.readUnsignedIntLE() << 32 | (long) in.readUnsignedShortLE() << 16 | in.readUnsignedShortLE();
        return new UUID(high, in.readLong());
    }

    private static String utf16(ByteBuf in, DataType type, int length) {
        if ((length & 1) != 0) {
            throw wrongLength(type, length);
        }
        return Ucs2.read(in, length >> 1);
    }

    private static String withoutByteOrderMark(String xml) {
        return !xml.isEmpty() && xml.charAt(0) == BYTE_ORDER_MARK ? xml.substring(1) : xml;
    }

    private static String text(ByteBuf in, int length, Charset charset) {
        return in.readCharSequence(length, charset).toString();
    }

    private static byte[] bytes(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** sql_variant: the base type, its properties, and the bare value in the remaining bytes. */
    private static SqlVariant variant(ByteBuf in, int length) {
        if (length < 2) {
            throw wrongLength(DataType.SSVARIANT, length);
        }
        DataType type = DataType.of(in.readUnsignedByte());
        int properties = in.readUnsignedByte();
        int remaining = length - 2 - properties;
        if (remaining < 0 || properties != Variants.propertyLength(type)) {
            throw new ProtocolException("sql_variant of %s with %d bytes of properties".formatted(type, properties));
        }
        TypeInfo base = Variants.readProperties(in, type, remaining);
        return new SqlVariant(base, body(in, base, remaining));
    }

    private static ProtocolException wrongLength(DataType type, int length) {
        return new ProtocolException("%s value of %d bytes".formatted(type, length));
    }
}
