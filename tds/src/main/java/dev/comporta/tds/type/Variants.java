package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/** The properties of a sql_variant's base type, which it carries in place of TYPE_INFO. */
final class Variants {
    private Variants() {}

    /** The number of property bytes, for each type that a variant can hold. */
    static int propertyLength(DataType type) {
        return switch (type) {
            case INT1, BIT, INT2, INT4, INT8, DATETIM4, FLT4, MONEY, DATETIME, FLT8, MONEY4, GUID, DATEN -> 0;
            case TIMEN, DATETIME2N, DATETIMEOFFSETN -> 1;
            case DECIMALN, NUMERICN, BIGVARBIN, BIGBINARY -> 2;
            case BIGVARCHR, BIGCHAR, NVARCHAR, NCHAR -> Collation.BYTES + 2;
            default -> throw new ProtocolException("sql_variant of " + type);
        };
    }

    static TypeInfo readProperties(ByteBuf in, DataType type, int valueLength) {
        return switch (type) {
            case GUID -> TypeInfo.guid();
            case DATEN -> TypeInfo.date();
            case TIMEN, DATETIME2N, DATETIMEOFFSETN -> temporal(type, valueLength, in.readUnsignedByte());
            case DECIMALN, NUMERICN ->
                new TypeInfo(type, valueLength, in.readUnsignedByte(), in.readUnsignedByte(), null, null);
            case BIGVARBIN, BIGBINARY -> new TypeInfo(type, in.readUnsignedShortLE(), 0, 0, null, null);
            case BIGVARCHR, BIGCHAR, NVARCHAR, NCHAR -> {
                Collation collation = Collation.read(in);
                yield new TypeInfo(type, in.readUnsignedShortLE(), 0, 0, collation, null);
            }
            default -> {
                if (valueLength != type.fixedLength()) {
                    throw new ProtocolException("sql_variant of %s in %d bytes".formatted(type, valueLength));
                }
                yield TypeInfo.fixed(type);
            }
        };
    }

    static void writeProperties(ByteBuf out, TypeInfo base) {
        out.writeByte(base.type().code());
        out.writeByte(propertyLength(base.type()));
        switch (base.type()) {
            case TIMEN, DATETIME2N, DATETIMEOFFSETN -> out.writeByte(base.scale());
            case DECIMALN, NUMERICN -> {
                out.writeByte(base.precision());
                out.writeByte(base.scale());
            }
            case BIGVARBIN, BIGBINARY -> out.writeShortLE(base.maxLength());
            case BIGVARCHR, BIGCHAR, NVARCHAR, NCHAR -> {
                base.collationOrDefault().write(out);
                out.writeShortLE(base.maxLength());
            }
            default -> {}
        }
    }

    private static TypeInfo temporal(DataType type, int valueLength, int scale) {
        if (scale > 7) {
            throw new ProtocolException("scale %d of fractional seconds: 7 is the finest".formatted(scale));
        }
        return new TypeInfo(type, valueLength, 0, scale, null, null);
    }
}
