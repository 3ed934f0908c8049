package dev.comporta.standin.engine.store;

import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlError.Effect;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Translates H2's errors into SQL Server's. */
public record H2Errors(Catalog catalog) {
    private static final Pattern CONSTRAINT = Pattern.compile("\\bc(\\d+)\\b");
    private static final Pattern TABLE = Pattern.compile("\\bt(\\d+)\\b");
    private static final Pattern KEY = Pattern.compile("(?:VALUES )?\\( /\\*.*?\\*/ (.*)\\)\"");
    private static final Pattern COLUMN = Pattern.compile("column \"(.*?)\"");
    private static final Pattern CAST = Pattern.compile("CAST\\('(.*?)' AS [A-Z_ ]+(?:\\(\\d+\\))?\\)");

    /** Whether a lock was not available within H2's short wait, so that the statement can be retried. */
    public static boolean isLockWait(SQLException e) {
        return e.getErrorCode() == ErrorCode.LOCK_TIMEOUT_1 || e.getErrorCode() == ErrorCode.CONCURRENT_UPDATE_1;
    }

    /**
     * @param verb INSERT, UPDATE, DELETE or SELECT, for the messages that contain it
     * @param table the table that the statement changes, or null
     */
    public RuntimeException translate(SQLException e, String verb, @Nullable Table table) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SqlError || cause instanceof RequestCancelled) {
                return (RuntimeException) cause;
            }
        }
        String message = e.getMessage() == null ? "" : e.getMessage();
        return switch (e.getErrorCode()) {
            case ErrorCode.STATEMENT_WAS_CANCELED -> new RequestCancelled();
            case ErrorCode.DUPLICATE_KEY_1 -> duplicate(message);
            case ErrorCode.NULL_NOT_ALLOWED -> notNull(message, verb, table);
            case ErrorCode.CHECK_CONSTRAINT_VIOLATED_1,
                    ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_PARENT_MISSING_1,
                    ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_CHILD_EXISTS_1 -> conflict(e, message, verb);
            case ErrorCode.DIVISION_BY_ZERO_1 -> SqlError.divisionByZero();
            case ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_1, ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2 -> overflow(message);
            case ErrorCode.VALUE_TOO_LONG_2 -> truncated(message, table);
            case ErrorCode.DATA_CONVERSION_ERROR_1 -> SqlError.conversionFailed("varchar", quoted(message), "int");
            case ErrorCode.DEADLOCK_1 -> deadlock();
            case ErrorCode.LOCK_TIMEOUT_1, ErrorCode.CONCURRENT_UPDATE_1 -> lockTimeout();
            case ErrorCode.SCALAR_SUBQUERY_CONTAINS_MORE_THAN_ONE_ROW ->
                SqlError.terminating(
                        512,
                        16,
                        1,
                        "Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <,"
                                + " <= , >, >= or when the subquery is used as an expression.");
            case ErrorCode.MUST_GROUP_BY_COLUMN_1 ->
                new SqlError(
                        8120,
                        16,
                        1,
                        Effect.BATCH,
                        "Column in the select list is invalid because it is not contained in either an aggregate function"
                                + " or the GROUP BY clause.");
            default ->
                new SqlError(102, 15, 1, Effect.BATCH, "Incorrect syntax for this stand-in: " + firstLine(message));
        };
    }

    public static SqlError lockTimeout() {
        return new SqlError(1222, 16, 45, Effect.STATEMENT, "Lock request time out period exceeded.");
    }

    private static SqlError deadlock() {
        String text = "Transaction was deadlocked on lock resources with another process and has been chosen as the"
                + " deadlock victim. Rerun the transaction.";
        return new SqlError(1205, 13, 51, Effect.ROLLBACK, text);
    }

    private static String firstLine(String message) {
        int end = message.indexOf("; SQL statement:");
        return end < 0 ? message : message.substring(0, end);
    }

    private static String quoted(String message) {
        int from = message.indexOf('"');
        int to = message.indexOf('"', from + 1);
        return from < 0 || to < 0 ? "" : message.substring(from + 1, to);
    }

    private RuntimeException duplicate(String message) {
        Matcher name = CONSTRAINT.matcher(message);
        Constraint constraint = name.find() ? constraint(Integer.parseInt(name.group(1))) : null;
        Matcher tableName = TABLE.matcher(message);
        Table table = tableName.find() ? catalog.tableById(Integer.parseInt(tableName.group(1))) : null;
        String key = keyText(message, constraint);
        String object = table == null ? "" : table.schema() + "." + table.name();
        if (constraint != null && constraint.kind() == Constraint.Kind.UNIQUE_INDEX) {
            String text = "Cannot insert duplicate key row in object '" + object + "' with unique index '"
                    + constraint.name() + "'. The duplicate key value is " + key + ".";
            return SqlError.terminating(2601, 14, 1, text);
        }
        boolean primary = constraint == null || constraint.kind() == Constraint.Kind.PRIMARY_KEY;
        String kind = primary ? "PRIMARY KEY" : "UNIQUE KEY";
        String text = "Violation of " + kind + " constraint '" + (constraint == null ? "" : constraint.name())
                + "'. Cannot insert duplicate key in object '" + object + "'. The duplicate key value is " + key + ".";
        return SqlError.terminating(2627, 14, 1, text);
    }

    /** H2 shows the key, or the whole row of a primary key with the key in a comment before it. */
    private static String keyText(String message, @Nullable Constraint constraint) {
        Matcher matcher = KEY.matcher(message);
        if (!matcher.find()) {
            return "()";
        }
        String values = CAST.matcher(matcher.group(1)).replaceAll("$1").strip();
        if (message.contains("/* key:")
                && constraint != null
                && constraint.columns().size() == 1) {
            int comma = values.indexOf(", ");
            values = comma < 0 ? values : values.substring(0, comma);
        }
        return "(" + values.replace("'", "") + ")";
    }

    private @Nullable Constraint constraint(int id) {
        for (Database database : catalog.databases()) {
            for (Table table : database.tables()) {
                for (Constraint constraint : table.constraints()) {
                    if (constraint.id() == id) {
                        return constraint;
                    }
                }
            }
        }
        return null;
    }

    private static RuntimeException notNull(String message, String verb, @Nullable Table table) {
        Matcher matcher = COLUMN.matcher(message);
        String column = matcher.find() ? matcher.group(1) : "";
        String name = table == null ? "" : table.database() + "." + table.schema() + "." + table.name();
        String text = "Cannot insert the value NULL into column '" + column + "', table '" + name
                + "'; column does not allow nulls. " + verb + " fails.";
        return SqlError.terminating(515, 16, 2, text);
    }

    private RuntimeException conflict(SQLException e, String message, String verb) {
        Matcher matcher = CONSTRAINT.matcher(message);
        Constraint constraint = matcher.find() ? constraint(Integer.parseInt(matcher.group(1))) : null;
        boolean childExists = e.getErrorCode() == ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_CHILD_EXISTS_1;
        boolean check = e.getErrorCode() == ErrorCode.CHECK_CONSTRAINT_VIOLATED_1;
        String kind = check ? "CHECK" : childExists ? "REFERENCE" : "FOREIGN KEY";
        String name = constraint == null ? "" : constraint.name();
        Table owner = owner(constraint);
        Table place = !check && !childExists && constraint != null ? catalog.tableById(constraint.target()) : owner;
        List<String> columns =
                constraint == null ? List.of() : place == owner ? constraint.columns() : constraint.targetColumns();
        String text =
                "The " + verb.toUpperCase(Locale.ROOT) + " statement conflicted with the " + kind + " constraint \""
                        + name + "\". The conflict occurred in database \"" + (place == null ? "" : place.database())
                        + "\", table \"" + (place == null ? "" : place.schema() + "." + place.name()) + "\""
                        + (columns.size() == 1 ? ", column '" + columns.getFirst() + "'." : ".");
        return SqlError.terminating(547, 16, 0, text);
    }

    private @Nullable Table owner(@Nullable Constraint constraint) {
        for (Database database : catalog.databases()) {
            for (Table table : database.tables()) {
                if (constraint != null && table.constraints().contains(constraint)) {
                    return table;
                }
            }
        }
        return null;
    }

    private static RuntimeException overflow(String message) {
        boolean decimal = quoted(message).contains(".");
        return SqlError.overflow(decimal ? "numeric" : "int");
    }

    private static RuntimeException truncated(String message, @Nullable Table table) {
        String column = quoted(message);
        int space = column.indexOf(' ');
        String name = space < 0 ? column : column.substring(0, space);
        Matcher value = Pattern.compile(": \"'?(.*?)'? \\(\\d+\\)\"")
                .matcher(CAST.matcher(message).replaceAll("'$1'"));
        String shown = value.find() ? value.group(1) : "";
        Matcher length = Pattern.compile("\\((\\d+)\\)").matcher(column);
        if (length.find() && shown.length() > Integer.parseInt(length.group(1))) {
            shown = shown.substring(0, Integer.parseInt(length.group(1)));
        }
        String where = table == null ? "" : table.database() + "." + table.schema() + "." + table.name();
        String text = "String or binary data would be truncated in table '" + where + "', column '" + name
                + "'. Truncated value: '" + shown + "'.";
        return SqlError.terminating(2628, 16, 1, text);
    }
}
