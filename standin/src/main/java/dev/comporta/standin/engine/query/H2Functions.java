package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.store.Relation;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.h2.api.H2Type;
import org.h2.tools.SimpleResultSet;
import org.h2.value.Value;
import org.h2.value.ValueToObjectConverter;
import org.jspecify.annotations.Nullable;

/**
 * What H2 calls back into: one function per type of result, since H2 wants to know it beforehand. H2 runs a statement on
 * its caller's thread, so the statement at hand is found through that thread.
 */
public final class H2Functions {
    private static final ThreadLocal<@Nullable Rendered> CURRENT = new ThreadLocal<>();

    private static final Map<String, String> METHODS = Map.ofEntries(
            Map.entry("F_BIT", "bit"),
            Map.entry("F_SMALLINT", "smallint"),
            Map.entry("F_INT", "integer"),
            Map.entry("F_BIGINT", "bigint"),
            Map.entry("F_NUMERIC", "numeric"),
            Map.entry("F_REAL", "real"),
            Map.entry("F_DOUBLE", "approximate"),
            Map.entry("F_DATE", "date"),
            Map.entry("F_TIME", "time"),
            Map.entry("F_TIMESTAMP", "timestamp"),
            Map.entry("F_OFFSET", "offset"),
            Map.entry("F_TEXT", "text"),
            Map.entry("F_BYTES", "bytes"),
            Map.entry("F_UUID", "uuid"),
            Map.entry("F_OBJECT", "object"),
            Map.entry("SYSTEM_VIEW", "systemView"));

    private H2Functions() {}

    /** What a new H2 database must be told before it runs anything else. */
    public static List<String> definitions() {
        return METHODS.entrySet().stream()
                .map(entry -> "CREATE ALIAS " + entry.getKey() + " FOR '" + H2Functions.class.getName() + "."
                        + entry.getValue() + "'")
                .toList();
    }

    /** Makes the statement known to the functions that H2 calls on this thread, until the next call. */
    public static void enter(Rendered statement) {
        CURRENT.set(statement);
    }

    public static void leave() {
        CURRENT.remove();
    }

    static String alias(SqlType result) {
        return switch (result.name()) {
            case BIT -> "F_BIT";
            case TINYINT, SMALLINT -> "F_SMALLINT";
            case INT -> "F_INT";
            case BIGINT -> "F_BIGINT";
            case DECIMAL, NUMERIC, MONEY, SMALLMONEY -> "F_NUMERIC";
            case REAL -> "F_REAL";
            case FLOAT -> "F_DOUBLE";
            case DATE -> "F_DATE";
            case TIME -> "F_TIME";
            case DATETIME, SMALLDATETIME, DATETIME2 -> "F_TIMESTAMP";
            case DATETIMEOFFSET -> "F_OFFSET";
            case CHAR, VARCHAR, TEXT, NCHAR, NVARCHAR, NTEXT, XML -> "F_TEXT";
            case BINARY, VARBINARY, IMAGE, ROWVERSION -> "F_BYTES";
            case UNIQUEIDENTIFIER -> "F_UUID";
            case SQL_VARIANT -> "F_OBJECT";
        };
    }

    public static @Nullable Boolean bit(int call, Value... arguments) {
        return (Boolean) apply(call, arguments);
    }

    public static @Nullable Short smallint(int call, Value... arguments) {
        return (Short) apply(call, arguments);
    }

    public static @Nullable Integer integer(int call, Value... arguments) {
        return (Integer) apply(call, arguments);
    }

    public static @Nullable Long bigint(int call, Value... arguments) {
        return (Long) apply(call, arguments);
    }

    public static @Nullable BigDecimal numeric(int call, Value... arguments) {
        return (BigDecimal) apply(call, arguments);
    }

    public static @Nullable Float real(int call, Value... arguments) {
        return (Float) apply(call, arguments);
    }

    public static @Nullable Double approximate(int call, Value... arguments) {
        return (Double) apply(call, arguments);
    }

    public static @Nullable LocalDate date(int call, Value... arguments) {
        return (LocalDate) apply(call, arguments);
    }

    public static @Nullable LocalTime time(int call, Value... arguments) {
        return (LocalTime) apply(call, arguments);
    }

    public static @Nullable LocalDateTime timestamp(int call, Value... arguments) {
        return (LocalDateTime) apply(call, arguments);
    }

    public static @Nullable OffsetDateTime offset(int call, Value... arguments) {
        return (OffsetDateTime) apply(call, arguments);
    }

    public static @Nullable String text(int call, Value... arguments) {
        return (String) apply(call, arguments);
    }

    public static byte @Nullable [] bytes(int call, Value... arguments) {
        return (byte[]) apply(call, arguments);
    }

    public static @Nullable UUID uuid(int call, Value... arguments) {
        return (UUID) apply(call, arguments);
    }

    public static @Nullable Object object(int call, Value... arguments) {
        return apply(call, arguments);
    }

    private static @Nullable Object apply(int index, Value... arguments) {
        JavaCall call = current().calls().get(index);
        List<@Nullable Object> values = new ArrayList<>(arguments.length);
        for (int i = 0; i < arguments.length; i++) {
            values.add(value(arguments[i], call.argumentTypes().get(i)));
        }
        return call.function().body().apply(new JavaFunction.Arguments(call.argumentTypes(), values));
    }

    private static @Nullable Object value(Value value, SqlType type) {
        if (value.getValueType() == Value.NULL) {
            return null;
        }
        return switch (type.name()) {
            case BIT -> value.getBoolean();
            case TINYINT, SMALLINT -> value.getShort();
            case INT -> value.getInt();
            case BIGINT -> value.getLong();
            case DECIMAL, NUMERIC, MONEY, SMALLMONEY -> value.getBigDecimal();
            case REAL -> value.getFloat();
            case FLOAT -> value.getDouble();
            case CHAR, VARCHAR, TEXT, NCHAR, NVARCHAR, NTEXT, XML -> value.getString();
            case BINARY, VARBINARY, IMAGE, ROWVERSION -> value.getBytes();
            case DATE, TIME, DATETIME, SMALLDATETIME, DATETIME2, DATETIMEOFFSET, UNIQUEIDENTIFIER, SQL_VARIANT ->
                ValueToObjectConverter.valueToObject(type.name().javaClass(), value, null);
        };
    }

    /** A system view's rows. H2 also calls it to learn the columns. */
    public static ResultSet systemView(String name) {
        Relation.SystemView view = current().views().get(name);
        if (view == null) {
            throw new IllegalStateException("no system view " + name);
        }
        SimpleResultSet result = new SimpleResultSet();
        for (Column column : view.columns()) {
            result.addColumn(column.name(), jdbcType(column.type()), 0, 0);
        }
        for (@Nullable Object[] row : view.rows().get()) {
            result.addRow(stored(view, row));
        }
        return result;
    }

    /** Fixed text is without its trailing spaces, as in tables. */
    private static @Nullable Object[] stored(Relation.SystemView view, @Nullable Object[] row) {
        for (int i = 0; i < row.length; i++) {
            SqlType.Name name = view.columns().get(i).type().name();
            boolean fixed = name == SqlType.Name.CHAR || name == SqlType.Name.NCHAR;
            if (fixed && row[i] instanceof String text) {
                row[i] = text.stripTrailing();
            }
        }
        return row;
    }

    private static int jdbcType(SqlType type) {
        return switch (type.name()) {
            case BIT -> Types.BOOLEAN;
            case TINYINT, SMALLINT -> Types.SMALLINT;
            case INT -> Types.INTEGER;
            case BIGINT -> Types.BIGINT;
            case DECIMAL, NUMERIC, MONEY, SMALLMONEY -> Types.NUMERIC;
            case REAL -> Types.REAL;
            case FLOAT -> Types.DOUBLE;
            case DATE -> Types.DATE;
            case TIME -> Types.TIME;
            case DATETIME, SMALLDATETIME, DATETIME2 -> Types.TIMESTAMP;
            case DATETIMEOFFSET -> Types.TIMESTAMP_WITH_TIMEZONE;
            case CHAR, VARCHAR, TEXT, NCHAR, NVARCHAR, NTEXT, XML -> H2Type.VARCHAR_IGNORECASE.getVendorTypeNumber();
            case BINARY, VARBINARY, IMAGE, ROWVERSION -> Types.VARBINARY;
            case UNIQUEIDENTIFIER -> H2Type.UUID.getVendorTypeNumber();
            case SQL_VARIANT -> Types.JAVA_OBJECT;
        };
    }

    private static Rendered current() {
        Rendered statement = CURRENT.get();
        if (statement == null) {
            throw new IllegalStateException("H2 called a function outside of a statement");
        }
        return statement;
    }
}
