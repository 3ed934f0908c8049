package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of a table-valued parameter.
 *
 * @param columns empty for the default value, an empty table
 * @param rows each with one value for every column that is not {@link Column#isDefault()}, in order
 */
public record TableValue(List<Column> columns, List<@Nullable Object[]> rows) {
    private static final int NO_METADATA = 0xFFFF;
    private static final int END = 0x00;
    private static final int ROW = 0x01;
    private static final int ORDER_UNIQUE = 0x10;
    private static final int COLUMN_ORDERING = 0x11;

    /** The most columns that a table type can have. */
    private static final int MAX_COLUMNS = 1024;

    /**
     * A column of a table type.
     *
     * @param flags as in COLMETADATA, and {@link #DEFAULT}
     */
    public record Column(String name, long userType, int flags, TypeInfo type) {
        /** The rows don't carry the column: the server uses its default. */
        public static final int DEFAULT = 0x0200;

        public boolean isDefault() {
            return (flags & DEFAULT) != 0;
        }
    }

    static TableValue read(ByteBuf in) {
        List<Column> columns = readColumns(in);
        List<Column> carried = carried(columns);
        skipOrderings(in);
        List<@Nullable Object[]> rows = new ArrayList<>();
        while (nextIsRow(in, columns)) {
            @Nullable Object[] row = new @Nullable Object[carried.size()];
            for (int i = 0; i < row.length; i++) {
                row[i] = carried.get(i).type.readValue(in);
            }
            rows.add(row);
        }
        return new TableValue(columns, rows);
    }

    static void skip(ByteBuf in) {
        List<Column> columns = readColumns(in);
        List<Column> carried = carried(columns);
        skipOrderings(in);
        while (nextIsRow(in, columns)) {
            for (Column column : carried) {
                column.type.skipValue(in);
            }
        }
    }

    static void write(ByteBuf out, TableValue table) {
        if (table.columns.isEmpty()) {
            out.writeShortLE(NO_METADATA);
        } else {
            out.writeShortLE(table.columns.size());
            for (Column column : table.columns) {
                out.writeIntLE((int) column.userType);
                out.writeShortLE(column.flags);
                column.type.writeParameter(out);
                Ucs2.writeByteLength(out, column.name);
            }
        }
        out.writeByte(END);
        List<Column> carried = carried(table.columns);
        for (@Nullable Object[] row : table.rows) {
            out.writeByte(ROW);
            for (int i = 0; i < row.length; i++) {
                carried.get(i).type.writeValue(out, row[i]);
            }
        }
        out.writeByte(END);
    }

    private static List<Column> carried(List<Column> columns) {
        return columns.stream().filter(column -> !column.isDefault()).toList();
    }

    private static List<Column> readColumns(ByteBuf in) {
        int count = in.readUnsignedShortLE();
        if (count == NO_METADATA) {
            return List.of();
        }
        if (count == 0 || count > MAX_COLUMNS) {
            throw new ProtocolException("table-valued parameter of %d columns".formatted(count));
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long userType = in.readUnsignedIntLE();
            int flags = in.readUnsignedShortLE();
            TypeInfo type = TypeInfo.readParameter(in, TdsVersion.V7_4);
            if (type.type() == DataType.TVP || type.type() == DataType.NULL) {
                throw new ProtocolException(type.type() + " column in a table-valued parameter");
            }
            columns.add(new Column(Ucs2.readByteLength(in), userType, flags, type));
        }
        return List.copyOf(columns);
    }

    /** Sort orders and column orderings are hints to the optimizer: they don't change what the rows mean. */
    private static void skipOrderings(ByteBuf in) {
        for (int token = in.readUnsignedByte(); token != END; token = in.readUnsignedByte()) {
            int entryLength = switch (token) {
                case ORDER_UNIQUE -> 3;
                case COLUMN_ORDERING -> 2;
                default ->
                    throw new ProtocolException("token 0x%02X in a table-valued parameter's metadata".formatted(token));
            };
            in.skipBytes(in.readUnsignedShortLE() * entryLength);
        }
    }

    private static boolean nextIsRow(ByteBuf in, List<Column> columns) {
        int token = in.readUnsignedByte();
        if (token != END && (token != ROW || columns.isEmpty())) {
            throw new ProtocolException("token 0x%02X among a table-valued parameter's rows".formatted(token));
        }
        return token == ROW;
    }
}
