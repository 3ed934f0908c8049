package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes TYPE_INFO. */
final class TypeInfoCodec {
    /** The side that sends it: servers describe a CLR type in full, clients name it. */
    enum Place {
        RESPONSE,
        REQUEST
    }

    private TypeInfoCodec() {}

    static TypeInfo read(ByteBuf in, TdsVersion version, Place place) {
        if (!in.isReadable()) {
            throw new ProtocolException("TYPE_INFO is missing");
        }
        DataType type = DataType.of(in.readUnsignedByte());
        if (!version.isAtLeast(type.since())) {
            throw new ProtocolException(type + " does not exist in TDS " + version);
        }
        try {
            return readRest(in, type, version, place);
        } catch (IndexOutOfBoundsException _) {
            throw TypeInfo.cutShort(type);
        }
    }

    private static TypeInfo readRest(ByteBuf in, DataType type, TdsVersion version, Place place) {
        return switch (type) {
            case NULL, INT1, BIT, INT2, INT4, DATETIM4, FLT4, MONEY, DATETIME, FLT8, MONEY4, INT8 ->
                TypeInfo.fixed(type);
            case DATEN -> TypeInfo.date();
            case TIMEN -> TypeInfo.time(scale(in));
            case DATETIME2N -> TypeInfo.datetime2(scale(in));
            case DATETIMEOFFSETN -> TypeInfo.datetimeoffset(scale(in));
            case GUID, INTN, BITN, FLTN, MONEYN, DATETIMN -> sized(in, type);
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN -> decimal(in, type);
            case CHAR, VARCHAR, BINARY, VARBINARY -> characters(in, type, in.readUnsignedByte());
            case BIGVARBIN, BIGVARCHR, BIGBINARY, BIGCHAR, NVARCHAR, NCHAR -> shortLength(in, type, version);
            case TEXT, NTEXT, IMAGE, SSVARIANT -> characters(in, type, longLength(in, type));
            case XML -> new TypeInfo(type, 0, 0, 0, null, schemaCollection(in));
            case UDT -> clrType(in, place);
            case JSON -> TypeInfo.json();
            case VECTOR -> vector(in);
            case TVP -> table(in, place);
        };
    }

    private static int scale(ByteBuf in) {
        int scale = in.readUnsignedByte();
        if (scale > 7) {
            throw new ProtocolException("scale %d of fractional seconds: 7 is the finest".formatted(scale));
        }
        return scale;
    }

    private static TypeInfo sized(ByteBuf in, DataType type) {
        int length = in.readUnsignedByte();
        boolean known = switch (type) {
            case GUID -> length == 16 || length == 0;
            case BITN -> length == 1;
            case INTN -> length == 1 || length == 2 || length == 4 || length == 8;
            default -> length == 4 || length == 8;
        };
        if (!known) {
            throw new ProtocolException("%s of %d bytes".formatted(type, length));
        }
        return new TypeInfo(type, length, 0, 0, null, null);
    }

    private static TypeInfo decimal(ByteBuf in, DataType type) {
        int length = in.readUnsignedByte();
        int precision = in.readUnsignedByte();
        int scale = in.readUnsignedByte();
        if (precision < 1 || precision > 38 || scale > precision) {
            throw new ProtocolException("%s(%d,%d)".formatted(type, precision, scale));
        }
        return new TypeInfo(type, length, precision, scale, null, null);
    }

    private static TypeInfo shortLength(ByteBuf in, DataType type, TdsVersion version) {
        int length = in.readUnsignedShortLE();
        if (length == TypeInfo.PLP_LENGTH) {
            if (!version.hasPartialLengthValues() || !type.canBeMax()) {
                throw new ProtocolException("%s(max) does not exist in TDS %s".formatted(type, version));
            }
        }
        return characters(in, type, length);
    }

    private static TypeInfo characters(ByteBuf in, DataType type, int length) {
        return new TypeInfo(type, length, 0, 0, type.hasCollation() ? Collation.read(in) : null, null);
    }

    private static int longLength(ByteBuf in, DataType type) {
        int length = in.readIntLE();
        if (length < 0) {
            throw new ProtocolException("%s of %d bytes".formatted(type, Integer.toUnsignedLong(length)));
        }
        return length;
    }

    private static @Nullable TypeName schemaCollection(ByteBuf in) {
        return in.readByte() == 0
                ? null
                : new TypeName(Ucs2.readByteLength(in), Ucs2.readByteLength(in), Ucs2.readShortLength(in));
    }

    private static TypeInfo clrType(ByteBuf in, Place place) {
        int maxLength = place == Place.RESPONSE ? in.readUnsignedShortLE() : TypeInfo.PLP_LENGTH;
        String database = Ucs2.readByteLength(in);
        String schema = Ucs2.readByteLength(in);
        String name = Ucs2.readByteLength(in);
        String assembly = place == Place.RESPONSE ? Ucs2.readShortLength(in) : "";
        return new TypeInfo(DataType.UDT, maxLength, 0, 0, null, new TypeName(database, schema, name, assembly));
    }

    private static TypeInfo vector(ByteBuf in) {
        int length = in.readUnsignedShortLE();
        return new TypeInfo(DataType.VECTOR, length, 0, in.readUnsignedByte(), null, null);
    }

    private static TypeInfo table(ByteBuf in, Place place) {
        if (place == Place.RESPONSE) {
            throw new ProtocolException("TVP in a response");
        }
        return TypeInfo.table(new TypeName(Ucs2.readByteLength(in), Ucs2.readByteLength(in), Ucs2.readByteLength(in)));
    }

    static void write(ByteBuf out, TypeInfo info, Place place) {
        out.writeByte(info.type().code());
        switch (info.type()) {
            case NULL, INT1, BIT, INT2, INT4, DATETIM4, FLT4, MONEY, DATETIME, FLT8, MONEY4, INT8, DATEN, JSON -> {}
            case TIMEN, DATETIME2N, DATETIMEOFFSETN -> out.writeByte(info.scale());
            case GUID, INTN, BITN, FLTN, MONEYN, DATETIMN, CHAR, VARCHAR, BINARY, VARBINARY ->
                out.writeByte(info.maxLength());
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN -> {
                out.writeByte(info.maxLength());
                out.writeByte(info.precision());
                out.writeByte(info.scale());
            }
            case BIGVARBIN, BIGBINARY -> out.writeShortLE(info.maxLength());
            case BIGVARCHR, BIGCHAR, NVARCHAR, NCHAR -> {
                out.writeShortLE(info.maxLength());
                info.collationOrDefault().write(out);
            }
            case TEXT, NTEXT -> {
                out.writeIntLE(info.maxLength());
                info.collationOrDefault().write(out);
            }
            case IMAGE, SSVARIANT -> out.writeIntLE(info.maxLength());
            case XML -> writeSchemaCollection(out, info.name());
            case UDT -> writeClrType(out, info, place);
            case VECTOR -> {
                out.writeShortLE(info.maxLength());
                out.writeByte(info.scale());
            }
            case TVP -> writeName(out, Objects.requireNonNull(info.name()));
        }
    }

    private static void writeSchemaCollection(ByteBuf out, @Nullable TypeName name) {
        out.writeByte(name == null ? 0 : 1);
        if (name != null) {
            Ucs2.writeByteLength(out, name.database());
            Ucs2.writeByteLength(out, name.schema());
            Ucs2.writeShortLength(out, name.name());
        }
    }

    private static void writeClrType(ByteBuf out, TypeInfo info, Place place) {
        TypeName name = Objects.requireNonNull(info.name());
        if (place == Place.RESPONSE) {
            out.writeShortLE(info.maxLength());
        }
        writeName(out, name);
        if (place == Place.RESPONSE) {
            Ucs2.writeShortLength(out, name.assembly());
        }
    }

    private static void writeName(ByteBuf out, TypeName name) {
        Ucs2.writeByteLength(out, name.database());
        Ucs2.writeByteLength(out, name.schema());
        Ucs2.writeByteLength(out, name.name());
    }
}
