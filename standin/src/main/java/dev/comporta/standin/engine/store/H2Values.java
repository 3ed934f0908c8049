package dev.comporta.standin.engine.store;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.type.Types;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads values from H2, as the Java classes of {@link SqlType.Name}. */
public final class H2Values {
    private H2Values() {}

    public static @Nullable Object read(ResultSet row, int index, SqlType type) throws SQLException {
        Object value = raw(row, index, type);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Object raw(ResultSet row, int index, SqlType type) throws SQLException {
        return switch (type.name()) {
            case BIT -> row.getBoolean(index);
            case TINYINT -> (short) integer(row, index, 0, 255, type);
            case SMALLINT -> (short) integer(row, index, Short.MIN_VALUE, Short.MAX_VALUE, type);
            case INT -> (int) integer(row, index, Integer.MIN_VALUE, Integer.MAX_VALUE, type);
            case BIGINT -> row.getLong(index);
            case DECIMAL, NUMERIC -> decimal(row, index, type.scale());
            case SMALLMONEY, MONEY -> decimal(row, index, 4);
            case REAL -> row.getFloat(index);
            case FLOAT -> row.getDouble(index);
            case DATE -> row.getObject(index, LocalDate.class);
            case TIME -> row.getObject(index, LocalTime.class);
            case DATETIME, SMALLDATETIME, DATETIME2 -> row.getObject(index, LocalDateTime.class);
            case DATETIMEOFFSET -> row.getObject(index, OffsetDateTime.class);
            case CHAR, NCHAR -> padded(row.getString(index), type.length());
            case VARCHAR, TEXT, NVARCHAR, NTEXT, XML -> row.getString(index);
            case BINARY -> padded(row.getBytes(index), type.length());
            case VARBINARY, IMAGE, ROWVERSION -> row.getBytes(index);
            case UNIQUEIDENTIFIER -> row.getObject(index, UUID.class);
            case SQL_VARIANT -> row.getObject(index);
        };
    }

    private static long integer(ResultSet row, int index, long least, long most, SqlType type) throws SQLException {
        long value = row.getLong(index);
        if (value < least || value > most) {
            throw SqlError.overflow(Types.name(type));
        }
        return value;
    }

    private static @Nullable BigDecimal decimal(ResultSet row, int index, int scale) throws SQLException {
        BigDecimal value = row.getBigDecimal(index);
        return value == null ? null : value.setScale(scale, RoundingMode.HALF_UP);
    }

    private static @Nullable String padded(@Nullable String text, int length) {
        return text == null || text.length() >= length ? text : text + " ".repeat(length - text.length());
    }

    private static byte @Nullable [] padded(byte @Nullable [] bytes, int length) {
        return bytes == null || bytes.length >= length ? bytes : Arrays.copyOf(bytes, length);
    }
}
