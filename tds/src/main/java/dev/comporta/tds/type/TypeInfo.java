package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * TYPE_INFO: a data type with the properties of its declaration; reads and writes its values. Values are Java objects:
 * Boolean for bit, Short for tinyint and smallint, Integer, Long, Float, Double, BigDecimal for decimal and money, the
 * java.time local classes and OffsetDateTime, String, byte[] for binary and CLR types, UUID, float[] for vector,
 * {@link SqlVariant}, and {@link TableValue}.
 *
 * <p>Reading throws {@link ProtocolException} for bytes that are not such a type or value, or end too early. Writing
 * throws IllegalArgumentException for an object that the type can't hold.
 *
 * @param maxLength of the values, in bytes; {@link #PLP_LENGTH} for the (max) types
 * @param precision of decimal and numeric
 * @param scale of decimal and numeric, the digits of fractional seconds, or the element type of a vector
 * @param collation of character types; others have none
 * @param name of a CLR type, a table type, or an XML schema collection
 */
public record TypeInfo(
        DataType type,
        int maxLength,
        int precision,
        int scale,
        @Nullable Collation collation,
        @Nullable TypeName name) {

    /** Passed as a length, makes a (max) type. */
    public static final int MAX = -1;

    /** The maximum length that marks a type whose values are partially length-prefixed. */
    public static final int PLP_LENGTH = 0xFFFF;

    /** Reads TYPE_INFO as servers send it: in COLMETADATA, ALTMETADATA and RETURNVALUE. */
    public static TypeInfo read(ByteBuf in, TdsVersion version) {
        return TypeInfoCodec.read(in, version, TypeInfoCodec.Place.RESPONSE);
    }

    /** Reads TYPE_INFO as clients send it: a CLR type has its short name, and table types are allowed. */
    public static TypeInfo readParameter(ByteBuf in, TdsVersion version) {
        return TypeInfoCodec.read(in, version, TypeInfoCodec.Place.REQUEST);
    }

    public void write(ByteBuf out) {
        TypeInfoCodec.write(out, this, TypeInfoCodec.Place.RESPONSE);
    }

    public void writeParameter(ByteBuf out) {
        TypeInfoCodec.write(out, this, TypeInfoCodec.Place.REQUEST);
    }

    /** Reads a value in the format of parameters and return values. */
    public @Nullable Object readValue(ByteBuf in) {
        return ValueReader.read(in, this, false);
    }

    /** Reads a value in the format of rows: a text pointer precedes that of TEXT, NTEXT and IMAGE. */
    public @Nullable Object readColumn(ByteBuf in) {
        return ValueReader.read(in, this, true);
    }

    public void writeValue(ByteBuf out, @Nullable Object value) {
        ValueWriter.write(out, this, value, false);
    }

    public void writeColumn(ByteBuf out, @Nullable Object value) {
        ValueWriter.write(out, this, value, true);
    }

    /** Skips a value in the format of parameters, without making an object of it. */
    public void skipValue(ByteBuf in) {
        ValueReader.skip(in, this, false);
    }

    public void skipColumn(ByteBuf in) {
        ValueReader.skip(in, this, true);
    }

    /** Whether values are partially length-prefixed. */
    public boolean isPlp() {
        return type.length() == DataType.Length.PLP
                || (type.length() == DataType.Length.USHORT && type != DataType.VECTOR && maxLength == PLP_LENGTH);
    }

    /** A type of fixed length, which can't be null in a row. */
    public static TypeInfo fixed(DataType type) {
        if (type.length() != DataType.Length.FIXED) {
            throw new IllegalArgumentException(type + " has no fixed length");
        }
        return new TypeInfo(type, type.fixedLength(), 0, 0, null, null);
    }

    /** tinyint, smallint, int or bigint by the number of bytes: 1, 2, 4, 8. */
    public static TypeInfo intN(int bytes) {
        return byteLength(DataType.INTN, bytes);
    }

    public static TypeInfo bitN() {
        return byteLength(DataType.BITN, 1);
    }

    /** real or float by the number of bytes: 4, 8. */
    public static TypeInfo floatN(int bytes) {
        return byteLength(DataType.FLTN, bytes);
    }

    /** smallmoney or money by the number of bytes: 4, 8. */
    public static TypeInfo moneyN(int bytes) {
        return byteLength(DataType.MONEYN, bytes);
    }

    /** smalldatetime or datetime by the number of bytes: 4, 8. */
    public static TypeInfo datetimeN(int bytes) {
        return byteLength(DataType.DATETIMN, bytes);
    }

    public static TypeInfo guid() {
        return byteLength(DataType.GUID, 16);
    }

    public static TypeInfo decimal(int precision, int scale) {
        return new TypeInfo(DataType.DECIMALN, Decimals.length(precision), precision, scale, null, null);
    }

    public static TypeInfo numeric(int precision, int scale) {
        return new TypeInfo(DataType.NUMERICN, Decimals.length(precision), precision, scale, null, null);
    }

    public static TypeInfo date() {
        return byteLength(DataType.DATEN, 3);
    }

    public static TypeInfo time(int scale) {
        return new TypeInfo(DataType.TIMEN, Temporals.timeLength(scale), 0, scale, null, null);
    }

    public static TypeInfo datetime2(int scale) {
        return new TypeInfo(DataType.DATETIME2N, Temporals.timeLength(scale) + 3, 0, scale, null, null);
    }

    public static TypeInfo datetimeoffset(int scale) {
        return new TypeInfo(DataType.DATETIMEOFFSETN, Temporals.timeLength(scale) + 5, 0, scale, null, null);
    }

    /** @param length in characters, or {@link #MAX} */
    public static TypeInfo nvarchar(int length) {
        return text(DataType.NVARCHAR, length == MAX ? PLP_LENGTH : 2 * length, Collation.DEFAULT);
    }

    public static TypeInfo nchar(int length) {
        return text(DataType.NCHAR, 2 * length, Collation.DEFAULT);
    }

    /** @param length in bytes, or {@link #MAX} */
    public static TypeInfo varchar(int length) {
        return text(DataType.BIGVARCHR, length == MAX ? PLP_LENGTH : length, Collation.DEFAULT);
    }

    public static TypeInfo character(int length) {
        return text(DataType.BIGCHAR, length, Collation.DEFAULT);
    }

    /** @param length in bytes, or {@link #MAX} */
    public static TypeInfo varbinary(int length) {
        return new TypeInfo(DataType.BIGVARBIN, length == MAX ? PLP_LENGTH : length, 0, 0, null, null);
    }

    public static TypeInfo binary(int length) {
        return new TypeInfo(DataType.BIGBINARY, length, 0, 0, null, null);
    }

    public static TypeInfo text() {
        return text(DataType.TEXT, Integer.MAX_VALUE, Collation.DEFAULT);
    }

    public static TypeInfo ntext() {
        return text(DataType.NTEXT, Integer.MAX_VALUE - 1, Collation.DEFAULT);
    }

    public static TypeInfo image() {
        return new TypeInfo(DataType.IMAGE, Integer.MAX_VALUE, 0, 0, null, null);
    }

    public static TypeInfo sqlVariant() {
        return new TypeInfo(DataType.SSVARIANT, 8009, 0, 0, null, null);
    }

    public static TypeInfo xml() {
        return new TypeInfo(DataType.XML, 0, 0, 0, null, null);
    }

    public static TypeInfo udt(TypeName name) {
        return new TypeInfo(DataType.UDT, PLP_LENGTH, 0, 0, null, Objects.requireNonNull(name));
    }

    public static TypeInfo json() {
        return new TypeInfo(DataType.JSON, 0, 0, 0, null, null);
    }

    /** A vector with this many 4-byte floats. */
    public static TypeInfo vector(int dimensions) {
        return new TypeInfo(
                DataType.VECTOR, Vectors.length(dimensions, Vectors.FLOAT32), 0, Vectors.FLOAT32, null, null);
    }

    public static TypeInfo table(TypeName name) {
        return new TypeInfo(DataType.TVP, 0, 0, 0, null, name);
    }

    /** The same character type with another collation. */
    public TypeInfo with(Collation other) {
        return new TypeInfo(type, maxLength, precision, scale, other, name);
    }

    private static TypeInfo byteLength(DataType type, int bytes) {
        return new TypeInfo(type, bytes, 0, 0, null, null);
    }

    private static TypeInfo text(DataType type, int maxLength, Collation collation) {
        return new TypeInfo(type, maxLength, 0, 0, collation, null);
    }

    /** The collation of a character type; the default for a legacy type without one. */
    public Collation collationOrDefault() {
        return collation == null ? Collation.DEFAULT : collation;
    }

    static ProtocolException cutShort(DataType type) {
        return new ProtocolException(type + " ends in the middle");
    }
}
