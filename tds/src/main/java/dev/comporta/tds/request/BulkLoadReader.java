package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows that a client sends after INSERT BULK. They are laid out like a result, COLMETADATA and rows, except
 * that a text column names its table in one part. Reads row by row, so that only one is in memory as objects.
 *
 * <p>Borrows the body of a whole message until the last row has been read.
 */
public final class BulkLoadReader {
    private static final int COLMETADATA = 0x81;
    private static final int ROW = 0xD1;
    private static final int NBCROW = 0xD2;
    private static final int DONE = 0xFD;
    private static final int NO_METADATA = 0xFFFF;

    /** A column as the client describes it. */
    public record Column(String name, long userType, int flags, TypeInfo type) {}

    private final ByteBuf in;
    private final RequestFormat format;
    private final List<Column> columns;
    private final @Nullable Object[] row;

    /** Reads the description of the columns. */
    public BulkLoadReader(ByteBuf body, RequestFormat format) {
        in = body.slice();
        this.format = format;
        try {
            columns = readColumns();
        } catch (IndexOutOfBoundsException _) {
            throw cutShort();
        }
        row = new @Nullable Object[columns.size()];
    }

    public List<Column> columns() {
        return columns;
    }

    /**
     * Reads the next row into {@link #value}.
     *
     * @return whether there was one
     */
    public boolean next() {
        // Not every client ends its rows with DONE: some just end the message.
        if (!in.isReadable()) {
            return false;
        }
        int token = in.readUnsignedByte();
        try {
            return switch (token) {
                case ROW -> {
                    for (int i = 0; i < row.length; i++) {
                        row[i] = columns.get(i).type.readColumn(in);
                    }
                    yield true;
                }
                case NBCROW -> {
                    readRowWithNullBitmap();
                    yield true;
                }
                case DONE -> {
                    in.skipBytes(in.readableBytes());
                    yield false;
                }
                default -> throw new ProtocolException("token 0x%02x in a bulk load".formatted(token));
            };
        } catch (IndexOutOfBoundsException _) {
            throw cutShort();
        }
    }

    /** The value of a column of the current row. */
    public @Nullable Object value(int column) {
        return row[column];
    }

    private void readRowWithNullBitmap() {
        int bitmap = in.readerIndex();
        in.skipBytes((row.length + 7) / 8);
        for (int i = 0; i < row.length; i++) {
            boolean isNull = (in.getByte(bitmap + i / 8) >>> i % 8 & 1) != 0;
            row[i] = isNull ? null : columns.get(i).type.readColumn(in);
        }
    }

    private List<Column> readColumns() {
        int token = in.readUnsignedByte();
        if (token != COLMETADATA) {
            throw new ProtocolException("bulk load that begins with token 0x%02x".formatted(token));
        }
        int count = in.readUnsignedShortLE();
        if (count == NO_METADATA || count == 0) {
            throw new ProtocolException("bulk load without columns");
        }
        List<Column> read = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long userType = format.version().hasLongUserTypes() ? in.readUnsignedIntLE() : in.readUnsignedShortLE();
            int flags = in.readUnsignedShortLE();
            TypeInfo type = TypeInfo.read(in, format.version());
            if (type.type() == DataType.NULL) {
                throw new ProtocolException("column without a type in a bulk load");
            }
            if (type.type().hasTextPointer()) {
                Ucs2.readShortLength(in);
            }
            read.add(new Column(Ucs2.readByteLength(in), userType, flags, type));
        }
        return List.copyOf(read);
    }

    private static ProtocolException cutShort() {
        return new ProtocolException("the bulk load is cut short");
    }
}
