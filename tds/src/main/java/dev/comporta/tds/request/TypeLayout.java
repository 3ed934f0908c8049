package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.type.DataType;
import java.util.Arrays;

/** The layout of a parameter's TYPE_INFO and value by the code of its type, in tables for the hot path. */
final class TypeLayout {
    // How a value begins. Kinds from 0 on are values of that many bytes, without a length before them.
    static final int BYTE_LENGTH = -1;
    static final int SHORT_LENGTH = -2;
    static final int LONG_LENGTH = -3;
    static final int PLP = -4;
    static final int TABLE = -5;
    private static final int UNKNOWN = -6;

    static final int XML = 0xF1;
    static final int UDT = 0xF0;
    static final int TVP = 0xF3;
    private static final int SSVARIANT = 0x62;

    /** The maximum length that marks a type with short lengths whose values come in chunks. */
    static final int PLP_MAX_LENGTH = 0xFFFF;

    private static final int COLLATION = 5;

    private static final byte[] KINDS = new byte[256];
    private static final byte[] LENGTH_BYTES = new byte[256];
    private static final byte[] REST_BYTES = new byte[256];

    static {
        Arrays.fill(KINDS, (byte) UNKNOWN);
        for (DataType type : DataType.values()) {
            KINDS[type.code()] = (byte) kindOf(type);
            LENGTH_BYTES[type.code()] = (byte) lengthBytesOf(type);
            REST_BYTES[type.code()] = (byte) restBytesOf(type);
        }
    }

    private TypeLayout() {}

    private static int kindOf(DataType type) {
        return switch (type.length()) {
            case FIXED -> type.fixedLength();
            case BYTE -> BYTE_LENGTH;
            case USHORT -> SHORT_LENGTH;
            case LONG -> LONG_LENGTH;
            case PLP -> PLP;
            case TABLE -> TABLE;
        };
    }

    private static int lengthBytesOf(DataType type) {
        return switch (type.length()) {
            case FIXED, PLP, TABLE -> 0;
            case BYTE -> type == DataType.DATEN ? 0 : 1;
            case USHORT -> Short.BYTES;
            case LONG -> Integer.BYTES;
        };
    }

    private static int restBytesOf(DataType type) {
        return switch (type) {
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN -> 2;
            case BIGVARCHR, BIGCHAR, NVARCHAR, NCHAR, TEXT, NTEXT -> COLLATION;
            case VECTOR -> 1;
            default -> 0;
        };
    }

    /** The number of bytes that a value has, or one of the negative kinds: how its length is written. */
    static int kind(int type) {
        int kind = KINDS[type];
        if (kind == UNKNOWN) {
            throw new ProtocolException("parameter of unknown data type 0x%02x".formatted(type));
        }
        return kind;
    }

    /** The size of TYPE_INFO's first number, a length or a scale. */
    static int lengthBytes(int type) {
        return LENGTH_BYTES[type];
    }

    /** The number of bytes of TYPE_INFO after that. */
    static int restBytes(int type) {
        return REST_BYTES[type];
    }

    /** Whether length 0 means an empty value; for all other types it means null. */
    static boolean canBeEmpty(int type, int kind) {
        return kind == SHORT_LENGTH || (kind == LONG_LENGTH && type != SSVARIANT);
    }

    static boolean isInteger(int type) {
        return switch (type) {
            case 0x26, 0x30, 0x34, 0x38, 0x7F -> true;
            default -> false;
        };
    }

    /** Whether values come in chunks if the maximum length is {@link #PLP_MAX_LENGTH}. */
    static boolean hasMaxForm(int type) {
        return switch (type) {
            case 0xA5, 0xA7, 0xE7 -> true;
            default -> false;
        };
    }
}
