package dev.comporta.tds.token;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.type.Plp;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one result for one version of the protocol: writes their COLMETADATA and then their rows. Immutable.
 * Columns of types that the version lacks are sent as SQL Server sends them to old clients.
 */
public final class RowFormat {
    /** Takes the bytes written so far and empties the buffer, so that a long row is never whole in memory. */
    @FunctionalInterface
    public interface Drain {
        void drain(ByteBuf out);
    }

    /** Large enough to amortise the chunk's length, small enough to stay in a pooled buffer. */
    private static final int CHUNK_BYTES = 16 * 1024;

    private static final int NO_METADATA = 0xFFFF;

    private final TdsVersion version;
    private final boolean columnEncryption;
    private final List<ColumnMetadata> columns;
    private final TypeInfo[] wireTypes;

    public RowFormat(TdsVersion version, List<ColumnMetadata> columns) {
        this(version, false, columns);
    }

    /** @param columnEncryption whether it was negotiated: then a table of keys, which is empty here, precedes the columns */
    public RowFormat(TdsVersion version, boolean columnEncryption, List<ColumnMetadata> columns) {
        this.version = version;
        this.columnEncryption = columnEncryption;
        this.columns = List.copyOf(columns);
        wireTypes = columns.stream()
                .map(column -> LegacyForm.typeFor(column.type(), version))
                .toArray(TypeInfo[]::new);
    }

    public List<ColumnMetadata> columns() {
        return columns;
    }

    /** The type in which a column's values are sent. */
    public TypeInfo wireType(int column) {
        return wireTypes[column];
    }

    /** Writes COLMETADATA without columns, which a client that knows them may ask for. */
    public static void writeNoMetadata(ByteBuf out) {
        out.writeByte(TokenType.COLMETADATA);
        out.writeShortLE(NO_METADATA);
    }

    public void writeMetadata(ByteBuf out) {
        out.writeByte(TokenType.COLMETADATA);
        out.writeShortLE(columns.size());
        if (columnEncryption) {
            out.writeShortLE(0);
        }
        for (int i = 0; i < wireTypes.length; i++) {
            ColumnMetadata column = columns.get(i);
            writeUserType(out, version, column.userType());
            out.writeShortLE(column.flags());
            wireTypes[i].write(out);
            if (wireTypes[i].type().hasTextPointer()) {
                writeTable(out, version, column.table());
            }
            Ucs2.writeByteLength(out, column.name());
        }
    }

    static void writeUserType(ByteBuf out, TdsVersion version, long userType) {
        if (version.hasLongUserTypes()) {
            out.writeIntLE((int) userType);
        } else {
            out.writeShortLE((int) userType);
        }
    }

    static void writeTable(ByteBuf out, TdsVersion version, List<String> parts) {
        if (version.isAtLeast(TdsVersion.V7_2)) {
            out.writeByte(parts.size());
            for (String part : parts) {
                Ucs2.writeShortLength(out, part);
            }
        } else {
            Ucs2.writeShortLength(out, String.join(".", parts));
        }
    }

    /** Writes ROW, or NBCROW if a value is null and the version has NBCROW. */
    public void writeRow(ByteBuf out, @Nullable Object... values) {
        boolean nullBitmap = beginRow(out, values);
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null || !nullBitmap) {
                wireTypes[i].writeColumn(out, wireValue(i, values[i]));
            }
        }
    }

    /** Like {@link #writeRow}, but drains the buffer between the chunks of (max) values, and whenever it has grown long. */
    public void writeRow(ByteBuf out, Drain drain, @Nullable Object... values) {
        boolean nullBitmap = beginRow(out, values);
        for (int i = 0; i < values.length; i++) {
            Object value = wireValue(i, values[i]);
            if (value == null) {
                if (!nullBitmap) {
                    wireTypes[i].writeColumn(out, null);
                }
            } else if (wireTypes[i].isPlp()) {
                writeInChunks(out, drain, wireTypes[i], value);
            } else {
                wireTypes[i].writeColumn(out, value);
            }
            if (out.readableBytes() >= CHUNK_BYTES) {
                drain(out, drain);
            }
        }
    }

    /** @return whether the row has a null bitmap, and so no bytes for its nulls */
    private boolean beginRow(ByteBuf out, @Nullable Object[] values) {
        if (values.length != wireTypes.length) {
            throw new IllegalArgumentException("%d values for %d columns".formatted(values.length, wireTypes.length));
        }
        boolean nullBitmap = version.hasNullBitmapRows() && hasNull(values);
        out.writeByte(nullBitmap ? TokenType.NBCROW : TokenType.ROW);
        if (nullBitmap) {
            writeNullBitmap(out, values);
        }
        return nullBitmap;
    }

    private static boolean hasNull(@Nullable Object[] values) {
        for (Object value : values) {
            if (value == null) {
                return true;
            }
        }
        return false;
    }

    private static void writeNullBitmap(ByteBuf out, @Nullable Object[] values) {
        for (int from = 0; from < values.length; from += 8) {
            int bits = 0;
            for (int i = from; i < Math.min(from + 8, values.length); i++) {
                bits |= values[i] == null ? 1 << (i - from) : 0;
            }
            out.writeByte(bits);
        }
    }

    private @Nullable Object wireValue(int column, @Nullable Object value) {
        return LegacyForm.valueFor(columns.get(column).type(), wireTypes[column], value);
    }

    private static void writeInChunks(ByteBuf out, Drain drain, TypeInfo type, Object value) {
        if (value instanceof String text) {
            switch (type.type()) {
                case NVARCHAR, XML -> writeUtf16InChunks(out, drain, text);
                case JSON -> writeBytesInChunks(out, drain, text.getBytes(StandardCharsets.UTF_8));
                default ->
                    writeBytesInChunks(
                            out, drain, text.getBytes(type.collationOrDefault().charset()));
            }
        } else if (value instanceof byte[] bytes) {
            writeBytesInChunks(out, drain, bytes);
        } else {
            throw new IllegalArgumentException(
                    "%s for %s".formatted(value.getClass().getSimpleName(), type.type()));
        }
    }

    private static void writeUtf16InChunks(ByteBuf out, Drain drain, String text) {
        Plp.begin(out, 2L * text.length());
        int units = CHUNK_BYTES / 2;
        for (int from = 0; from < text.length(); from += units) {
            String part = text.substring(from, Math.min(from + units, text.length()));
            out.writeIntLE(2 * part.length());
            Ucs2.write(out, part);
            drain(out, drain);
        }
        Plp.end(out);
    }

    private static void writeBytesInChunks(ByteBuf out, Drain drain, byte[] bytes) {
        Plp.begin(out, bytes.length);
        for (int from = 0; from < bytes.length; from += CHUNK_BYTES) {
            int length = Math.min(CHUNK_BYTES, bytes.length - from);
            out.writeIntLE(length);
            out.writeBytes(bytes, from, length);
            drain(out, drain);
        }
        Plp.end(out);
    }

    private static void drain(ByteBuf out, Drain drain) {
        drain.drain(out);
        out.clear();
    }
}
