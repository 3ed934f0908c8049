package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import org.jspecify.annotations.Nullable;

/** The types of TYPE_INFO under the specification's names, and how the length of their values is written. */
public enum DataType {
    NULL(0x1F, Length.FIXED, 0),
    INT1(0x30, Length.FIXED, 1),
    BIT(0x32, Length.FIXED, 1),
    INT2(0x34, Length.FIXED, 2),
    INT4(0x38, Length.FIXED, 4),
    DATETIM4(0x3A, Length.FIXED, 4),
    FLT4(0x3B, Length.FIXED, 4),
    MONEY(0x3C, Length.FIXED, 8),
    DATETIME(0x3D, Length.FIXED, 8),
    FLT8(0x3E, Length.FIXED, 8),
    MONEY4(0x7A, Length.FIXED, 4),
    INT8(0x7F, Length.FIXED, 8),

    GUID(0x24, Length.BYTE),
    INTN(0x26, Length.BYTE),
    DECIMAL(0x37, Length.BYTE),
    NUMERIC(0x3F, Length.BYTE),
    BITN(0x68, Length.BYTE),
    DECIMALN(0x6A, Length.BYTE),
    NUMERICN(0x6C, Length.BYTE),
    FLTN(0x6D, Length.BYTE),
    MONEYN(0x6E, Length.BYTE),
    DATETIMN(0x6F, Length.BYTE),
    DATEN(0x28, Length.BYTE, TdsVersion.V7_3A),
    TIMEN(0x29, Length.BYTE, TdsVersion.V7_3A),
    DATETIME2N(0x2A, Length.BYTE, TdsVersion.V7_3A),
    DATETIMEOFFSETN(0x2B, Length.BYTE, TdsVersion.V7_3A),
    CHAR(0x2F, Length.BYTE),
    VARCHAR(0x27, Length.BYTE),
    BINARY(0x2D, Length.BYTE),
    VARBINARY(0x25, Length.BYTE),

    BIGVARBIN(0xA5, Length.USHORT),
    BIGVARCHR(0xA7, Length.USHORT),
    BIGBINARY(0xAD, Length.USHORT),
    BIGCHAR(0xAF, Length.USHORT),
    NVARCHAR(0xE7, Length.USHORT),
    NCHAR(0xEF, Length.USHORT),
    VECTOR(0xF5, Length.USHORT, TdsVersion.V7_4),

    TEXT(0x23, Length.LONG),
    IMAGE(0x22, Length.LONG),
    NTEXT(0x63, Length.LONG),
    SSVARIANT(0x62, Length.LONG),

    XML(0xF1, Length.PLP, TdsVersion.V7_2),
    UDT(0xF0, Length.PLP, TdsVersion.V7_2),
    JSON(0xF4, Length.PLP, TdsVersion.V7_4),

    TVP(0xF3, Length.TABLE, TdsVersion.V7_3A);

    /** How a value's length is written before it. */
    public enum Length {
        /** Not at all: the type determines it. */
        FIXED,
        /** One byte; zero is null. */
        BYTE,
        /** Two bytes; 0xFFFF is null. A type declared with length 0xFFFF is {@link #PLP} instead. */
        USHORT,
        /** Four bytes; for TEXT, NTEXT and IMAGE in rows, a text pointer and a timestamp come first. */
        LONG,
        /** Eight bytes with the total, then chunks: partially length-prefixed. */
        PLP,
        /** A table, only in parameters. */
        TABLE
    }

    private static final @Nullable DataType[] BY_CODE = new @Nullable DataType[256];

    static {
        for (DataType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final Length length;
    private final int fixedLength;
    private final TdsVersion since;

    DataType(int code, Length length) {
        this(code, length, 0, TdsVersion.V7_1);
    }

    DataType(int code, Length length, int fixedLength) {
        this(code, length, fixedLength, TdsVersion.V7_1);
    }

    DataType(int code, Length length, TdsVersion since) {
        this(code, length, 0, since);
    }

    DataType(int code, Length length, int fixedLength, TdsVersion since) {
        this.code = code;
        this.length = length;
        this.fixedLength = fixedLength;
        this.since = since;
    }

    /** The type for the first byte of a TYPE_INFO. */
    public static DataType of(int code) {
        DataType type = BY_CODE[code & 0xFF];
        if (type == null) {
            throw new ProtocolException("unknown data type 0x%02X".formatted(code & 0xFF));
        }
        return type;
    }

    public int code() {
        return code;
    }

    public Length length() {
        return length;
    }

    /** Bytes of a value of a {@link Length#FIXED} type. */
    public int fixedLength() {
        return fixedLength;
    }

    /** The oldest version in which servers send the type. */
    public TdsVersion since() {
        return since;
    }

    /** Whether its TYPE_INFO carries a collation: the character types from before TDS 7.0 don't. */
    public boolean hasCollation() {
        return switch (this) {
            case BIGVARCHR, BIGCHAR, NVARCHAR, NCHAR, TEXT, NTEXT -> true;
            default -> false;
        };
    }

    /** Whether it can be declared as (max). */
    public boolean canBeMax() {
        return this == BIGVARBIN || this == BIGVARCHR || this == NVARCHAR;
    }

    /** Whether a text pointer precedes its values in a row, and COLMETADATA names their table. */
    public boolean hasTextPointer() {
        return this == TEXT || this == NTEXT || this == IMAGE;
    }
}
