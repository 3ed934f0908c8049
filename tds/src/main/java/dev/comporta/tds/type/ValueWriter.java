package dev.comporta.tds.type;

import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes values: reserves the length, writes the content, then fills in the length. */
final class ValueWriter {
    /** The text pointer of TEXT, NTEXT and IMAGE in rows: clients ignore it, but expect 16 bytes. */
    private static final byte[] TEXT_POINTER = "comporta textptr".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] TIMESTAMP = "textstmp".getBytes(StandardCharsets.US_ASCII);

    private ValueWriter() {}

    static void write(ByteBuf out, TypeInfo info, @Nullable Object value, boolean inRow) {
        if (info.type() == DataType.TVP) {
            TableValue.write(out, cast(TableValue.class, value, info));
        } else if (value == null) {
            writeNull(out, info, inRow);
        } else if (info.isPlp()) {
            writePlp(out, info, value);
        } else {
            writeWithLength(out, info, value, inRow);
        }
    }

    private static void writeNull(ByteBuf out, TypeInfo info, boolean inRow) {
        switch (info.type().length()) {
            case FIXED -> {
                if (info.type() != DataType.NULL) {
                    throw new IllegalArgumentException(info.type() + " can't be null");
                }
            }
            case BYTE -> out.writeByte(0);
            case USHORT -> {
                if (info.isPlp()) {
                    Plp.writeNull(out);
                } else {
                    out.writeShortLE(0xFFFF);
                }
            }
            case LONG -> {
                if (inRow && info.type().hasTextPointer()) {
                    out.writeByte(0);
                } else {
                    out.writeIntLE(info.type() == DataType.SSVARIANT ? 0 : -1);
                }
            }
            case PLP -> Plp.writeNull(out);
            case TABLE -> throw new IllegalArgumentException("a table is never null");
        }
    }

    /** Writes one chunk with its total, as SQL Server does for stored values. */
    private static void writePlp(ByteBuf out, TypeInfo info, Object value) {
        int head = out.writerIndex();
        out.writeZero(Long.BYTES + Integer.BYTES);
        body(out, info, value);
        int length = out.writerIndex() - head - Long.BYTES - Integer.BYTES;
        out.setLongLE(head, length);
        if (length == 0) {
            out.writerIndex(out.writerIndex() - Integer.BYTES);
        } else {
            out.setIntLE(head + Long.BYTES, length);
        }
        Plp.end(out);
    }

    private static void writeWithLength(ByteBuf out, TypeInfo info, Object value, boolean inRow) {
        if (inRow && info.type().hasTextPointer()) {
            out.writeByte(TEXT_POINTER.length);
            out.writeBytes(TEXT_POINTER);
            out.writeBytes(TIMESTAMP);
        }
        int head = out.writerIndex();
        int prefix = switch (info.type().length()) {
            case FIXED -> 0;
            case BYTE -> 1;
            case USHORT -> 2;
            case LONG -> 4;
            case PLP, TABLE -> throw new IllegalStateException();
        };
        out.writeZero(prefix);
        body(out, info, value);
        int length = out.writerIndex() - head - prefix;
        if (prefix > 0 && length > info.maxLength()) {
            out.writerIndex(head);
            throw new IllegalArgumentException(
                    "value of %d bytes for %s of %d".formatted(length, info.type(), info.maxLength()));
        }
        switch (prefix) {
            case 1 -> out.setByte(head, length);
            case 2 -> out.setShortLE(head, length);
            case 4 -> out.setIntLE(head, length);
            default -> {}
        }
    }

    private static void body(ByteBuf out, TypeInfo info, Object value) {
        switch (info.type()) {
            case NULL, TVP -> throw new IllegalArgumentException(info.type() + " has no single value");
            case BIT, BITN -> out.writeByte(cast(Boolean.class, value, info) ? 1 : 0);
            case INT1, INT2, INT4, INT8, INTN -> integer(out, info, cast(Number.class, value, info));
            case FLT4, FLT8, FLTN -> floating(out, info, cast(Number.class, value, info));
            case MONEY, MONEY4, MONEYN ->
                Decimals.writeMoney(out, cast(BigDecimal.class, value, info), info.maxLength());
            case DATETIM4, DATETIME, DATETIMN ->
                Temporals.writeDateTime(out, cast(LocalDateTime.class, value, info), info.maxLength());
            case DECIMAL, NUMERIC, DECIMALN, NUMERICN ->
                Decimals.writeDecimal(out, cast(BigDecimal.class, value, info), info.precision(), info.scale());
            case GUID -> guid(out, cast(UUID.class, value, info));
            case DATEN -> Temporals.writeDate(out, cast(LocalDate.class, value, info));
            case TIMEN -> Temporals.writeTime(out, cast(LocalTime.class, value, info), info.scale());
            case DATETIME2N -> Temporals.writeDateTime2(out, cast(LocalDateTime.class, value, info), info.scale());
            case DATETIMEOFFSETN ->
                Temporals.writeDateTimeOffset(out, cast(OffsetDateTime.class, value, info), info.scale());
            case VARCHAR, BIGVARCHR, TEXT -> text(out, info, value);
            case CHAR, BIGCHAR -> padded(out, info, ' ', () -> text(out, info, value));
            case NVARCHAR, NTEXT, XML -> Ucs2.write(out, cast(String.class, value, info));
            case NCHAR -> nchar(out, info, cast(String.class, value, info));
            case JSON -> out.writeCharSequence(cast(String.class, value, info), StandardCharsets.UTF_8);
            case VARBINARY, BIGVARBIN, IMAGE, UDT -> out.writeBytes(cast(byte[].class, value, info));
            case BINARY, BIGBINARY -> padded(out, info, 0, () -> out.writeBytes(cast(byte[].class, value, info)));
            case VECTOR -> Vectors.write(out, cast(float[].class, value, info), info.scale());
            case SSVARIANT -> {
                SqlVariant variant = cast(SqlVariant.class, value, info);
                Variants.writeProperties(out, variant.type());
                body(out, variant.type(), variant.value());
            }
        }
    }

    private static void integer(ByteBuf out, TypeInfo info, Number number) {
        long value = number.longValue();
        int bytes = info.maxLength();
        long low = bytes == 1 ? 0 : -1L << (8 * bytes - 1);
        long high = bytes == 1 ? 0xFF : ~low;
        if (value < low || value > high) {
            throw new IllegalArgumentException("%d does not fit %s of %d bytes".formatted(value, info.type(), bytes));
        }
        switch (bytes) {
            case 1 -> out.writeByte((int) value);
            case 2 -> out.writeShortLE((int) value);
            case 4 -> out.writeIntLE((int) value);
            default -> out.writeLongLE(value);
        }
    }

    private static void floating(ByteBuf out, TypeInfo info, Number value) {
        if (info.maxLength() == 4) {
            out.writeFloatLE(value.floatValue());
        } else {
            out.writeDoubleLE(value.doubleValue());
        }
    }

    private static void guid(ByteBuf out, UUID value) {
        long high = value.getMostSignificantBits();
        out.writeIntLE((int) (high >>> 32));
        out.writeShortLE((int) (high >>> 16));
        out.writeShortLE((int) high);
        out.writeLong(value.getLeastSignificantBits());
    }

    private static void text(ByteBuf out, TypeInfo info, Object value) {
        Charset charset = info.collationOrDefault().charset();
        out.writeBytes(cast(String.class, value, info).getBytes(charset));
    }

    private static void nchar(ByteBuf out, TypeInfo info, String value) {
        Ucs2.write(out, value);
        for (int units = value.length(); 2 * units < info.maxLength(); units++) {
            out.writeShortLE(' ');
        }
    }

    /** char and binary values have their declared length: shorter ones are padded. */
    private static void padded(ByteBuf out, TypeInfo info, int filler, Runnable content) {
        int start = out.writerIndex();
        content.run();
        while (out.writerIndex() - start < info.maxLength()) {
            out.writeByte(filler);
        }
    }

    private static <T> T cast(Class<T> wanted, @Nullable Object value, TypeInfo info) {
        if (!wanted.isInstance(value)) {
            String given = value == null ? "null" : value.getClass().getSimpleName();
            throw new IllegalArgumentException(
                    "%s for %s: it takes %s".formatted(given, info.type(), wanted.getSimpleName()));
        }
        return wanted.cast(value);
    }
}
