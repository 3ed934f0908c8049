package dev.comporta.app.api;

import dev.comporta.console.Console;
import dev.comporta.console.Outcome;
import dev.comporta.console.Parameters;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.View;
import dev.comporta.console.value.TypedValue;
import dev.comporta.ops.http.HttpRefusal;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Requests for the rows of a view. Each becomes a query with parameters: its text contains names of the view's columns, and
 * nothing else of the request.
 */
record ViewPages(Console console, String instance) {
    static final String ORDER = "order";
    static final String LIMIT = "limit";
    private static final int MOST_ROWS = 100_000;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    HttpResponse rows(View view, HttpRequest request) {
        return ApiAnswers.rows(query(view, request, request.query()));
    }

    /** @param column the column that identifies a row */
    HttpResponse row(View view, String column, String id, HttpRequest request) {
        boolean isText = column(view, column).type() == ColumnType.NVARCHAR;
        if (isText || NUMBER.matcher(id).matches()) {
            Outcome.Rows found = query(view, request, Map.of(column, List.of(id)));
            if (!found.rows().isEmpty()) {
                return ApiAnswers.rows(found);
            }
        }
        throw new HttpRefusal(404, missing(view, column, id, request));
    }

    private String missing(View view, String column, String id, HttpRequest request) {
        String name = name(view);
        String what = "There is no " + name.substring(0, name.length() - 1) + " '" + id + "'.";
        Column key = column(view, column);
        if (key.type() != ColumnType.NVARCHAR) {
            return what + " GET /api/v1/" + name + " lists them.";
        }
        return what + Hint.among(values(view, key, request), id);
    }

    private List<String> values(View view, Column key, HttpRequest request) {
        int at = view.columns().indexOf(key);
        return query(view, request, Map.of()).rows().stream()
                .map(row -> String.valueOf(row.get(at)))
                .toList();
    }

    boolean has(View view, String column, String id, HttpRequest request) {
        return values(view, column(view, column), request).stream().anyMatch(id::equalsIgnoreCase);
    }

    private Outcome.Rows query(View view, HttpRequest request, Map<String, List<String>> wanted) {
        Map<String, TypedValue> values = new HashMap<>();
        StringBuilder text = new StringBuilder("SELECT ");
        if (wanted.containsKey(LIMIT)) {
            text.append("TOP (").append(limit(wanted.get(LIMIT).getLast())).append(") ");
        }
        text.append("* FROM ").append(quoted(view.schema())).append('.').append(quoted(view.name()));
        List<String> conditions = new ArrayList<>();
        wanted.forEach((name, any) -> {
            if (!name.equals(ORDER) && !name.equals(LIMIT)) {
                conditions.add(condition(column(view, name), any, values));
            }
        });
        if (!conditions.isEmpty()) {
            text.append(" WHERE ").append(String.join(" AND ", conditions));
        }
        if (wanted.containsKey(ORDER)) {
            text.append(" ORDER BY ").append(order(view, wanted.get(ORDER).getLast()));
        }
        ApiSession session = ApiSession.of(request, instance);
        return switch (console.execute(text.toString(), new Parameters(values), session)
                .getLast()) {
            case Outcome.Rows rows -> rows;
            case Outcome.Failed failed -> throw new HttpRefusal(400, failed.message());
            case Outcome.Done done -> throw new IllegalStateException("a query that says: " + done.message());
        };
    }

    /** Matches any of the values; an empty one means NULL. */
    private static String condition(Column column, List<String> any, Map<String, TypedValue> values) {
        List<String> alternatives = new ArrayList<>();
        for (String value : any) {
            if (value.isEmpty()) {
                alternatives.add(quoted(column.name()) + " IS NULL");
            } else {
                String parameter = "@p" + values.size();
                values.put(parameter, typed(column, value));
                alternatives.add(quoted(column.name()) + " = " + parameter);
            }
        }
        return "(" + String.join(" OR ", alternatives) + ")";
    }

    /** Parses a time in the API's format; the console converts everything else, and times in other formats. */
    private static TypedValue typed(Column column, String value) {
        if (column.type() == ColumnType.DATETIME2) {
            try {
                return TypedValue.of(LocalDateTime.ofInstant(Instant.parse(value), ZoneOffset.UTC));
            } catch (DateTimeException other) {
                return new TypedValue(ColumnType.NVARCHAR, value);
            }
        }
        return new TypedValue(ColumnType.NVARCHAR, value);
    }

    private static String order(View view, String names) {
        List<String> keys = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            boolean descending = name.startsWith("-");
            Column column = column(view, descending ? name.substring(1) : name);
            keys.add(quoted(column.name()) + (descending ? " DESC" : ""));
        }
        return String.join(", ", keys);
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= MOST_ROWS) {
                return limit;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below.
        }
        throw new HttpRefusal(400, "'limit' must be a number from 1 to " + MOST_ROWS + ".");
    }

    private static Column column(View view, String name) {
        return view.columns().stream()
                .filter(column -> column.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new HttpRefusal(
                        400,
                        "'" + name(view) + "' has no column '" + name + "'."
                                + Hint.among(
                                        view.columns().stream()
                                                .map(Column::name)
                                                .toList(),
                                        name)));
    }

    /** The last part of the view's path. */
    static String name(View view) {
        return view.shownAs().toLowerCase(Locale.ROOT);
    }

    private static String quoted(String name) {
        return "[" + name + "]";
    }
}
