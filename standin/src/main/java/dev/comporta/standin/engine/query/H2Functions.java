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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.h2.api.H2Type;
import org.h2.tools.SimpleResultSet;
import org.h2.value.Value;
import org.h2.value.ValueToObjectConverter;
import org.jspecify.annotations.Nullable;

/**
 * The functions that H2 calls back: one per result type, because H2 must know that type beforehand. H2 runs a statement on
 * its caller's thread, so the current statement is found through a thread-local.
 */
public final class H2Functions {
    private static final ThreadLocal<@Nullable Rendered> CURRENT = new ThreadLocal<>();

    /** The method below that returns a Java class, and JDBC's type number for that class. */
    private record Form(String method, int jdbcType) {
        String alias() {
            return "F_" + method.toUpperCase(Locale.ROOT);
        }
    }

    private static final Map<Class<?>, Form> FORMS = Map.ofEntries(
            Map.entry(Boolean.class, new Form("bit", Types.BOOLEAN)),
            Map.entry(Short.class, new Form("smallint", Types.SMALLINT)),
            Map.entry(Integer.class, new Form("integer", Types.INTEGER)),
            Map.entry(Long.class, new Form("bigint", Types.BIGINT)),
            Map.entry(BigDecimal.class, new Form("numeric", Types.NUMERIC)),
            Map.entry(Float.class, new Form("real", Types.REAL)),
            Map.entry(Double.class, new Form("approximate", Types.DOUBLE)),
            Map.entry(LocalDate.class, new Form("date", Types.DATE)),
            Map.entry(LocalTime.class, new Form("time", Types.TIME)),
            Map.entry(LocalDateTime.class, new Form("timestamp", Types.TIMESTAMP)),
            Map.entry(OffsetDateTime.class, new Form("offset", Types.TIMESTAMP_WITH_TIMEZONE)),
            Map.entry(String.class, new Form("text", H2Type.VARCHAR_IGNORECASE.getVendorTypeNumber())),
            Map.entry(byte[].class, new Form("bytes", Types.VARBINARY)),
            Map.entry(UUID.class, new Form("uuid", H2Type.UUID.getVendorTypeNumber())),
            Map.entry(Object.class, new Form("object", Types.JAVA_OBJECT)));

    private H2Functions() {}

    /** The statements that a new H2 database must run before any other. */
    public static List<String> definitions() {
        List<String> definitions = new ArrayList<>();
        FORMS.values().forEach(form -> definitions.add(definition(form.alias(), form.method)));
        definitions.add(definition("SYSTEM_VIEW", "systemView"));
        return definitions;
    }

    private static String definition(String alias, String method) {
        return "CREATE ALIAS " + alias + " FOR '" + H2Functions.class.getName() + "." + method + "'";
    }

    private static Form form(SqlType type) {
        return Objects.requireNonNull(FORMS.get(type.name().javaClass()));
    }

    /** Sets the statement for the functions that H2 calls on this thread, until the next call. */
    public static void enter(Rendered statement) {
        CURRENT.set(statement);
    }

    public static void leave() {
        CURRENT.remove();
    }

    static String alias(SqlType result) {
        return form(result).alias();
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
        return value.getValueType() == Value.NULL
                ? null
                : ValueToObjectConverter.valueToObject(type.name().javaClass(), value, null);
    }

    /** A system view's rows. H2 also calls it to find out the columns. */
    public static ResultSet systemView(String name) {
        Relation.SystemView view = current().views().get(name);
        if (view == null) {
            throw new IllegalStateException("no system view " + name);
        }
        SimpleResultSet result = new SimpleResultSet();
        for (Column column : view.columns()) {
            result.addColumn(column.name(), form(column.type()).jdbcType, 0, 0);
        }
        for (@Nullable Object[] row : view.rows().get()) {
            result.addRow(stored(view, row));
        }
        return result;
    }

    /** Fixed text has no trailing spaces, as in tables. */
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

    private static Rendered current() {
        Rendered statement = CURRENT.get();
        if (statement == null) {
            throw new IllegalStateException("H2 called a function outside of a statement");
        }
        return statement;
    }
}
