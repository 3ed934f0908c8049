package dev.comporta.standin.engine;

import dev.comporta.standin.engine.type.TextForm;
import dev.comporta.standin.engine.type.Types;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A response as a list of readable lines, such as {@code columns id int, name varchar(10)} and {@code row 1|a}. */
public final class Recording implements Response {
    private final List<String> events = new ArrayList<>();
    private final List<@Nullable Object[]> rows = new ArrayList<>();
    private final List<Integer> states = new ArrayList<>();
    private List<Column> columns = List.of();
    private boolean unwanted;

    /** The response to a request that its client cancelled before it began. */
    public static Recording unwanted() {
        Recording recording = new Recording();
        recording.unwanted = true;
        return recording;
    }

    @Override
    public boolean isUnwanted() {
        return unwanted;
    }

    public List<String> events() {
        return events;
    }

    public List<@Nullable Object[]> rows() {
        return rows;
    }

    public List<Column> columns() {
        return columns;
    }

    /** The states of its messages and errors. */
    public List<Integer> states() {
        return states;
    }

    public List<String> rowLines() {
        return events.stream()
                .filter(e -> e.startsWith("row "))
                .map(e -> e.substring(4))
                .toList();
    }

    public List<String> errors() {
        return events.stream().filter(e -> e.startsWith("error ")).toList();
    }

    @Override
    public void columns(List<Column> list) {
        columns = list;
        events.add(list.stream()
                .map(c -> c.name() + " " + typeName(c.type()) + (c.nullable() ? "" : " not null")
                        + (c.identity() ? " identity" : ""))
                .collect(Collectors.joining(", ", "columns ", "")));
    }

    public static String typeName(SqlType type) {
        String name = Types.name(type);
        return switch (type.name()) {
            case DECIMAL, NUMERIC -> name + "(" + type.precision() + "," + type.scale() + ")";
            case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY ->
                name + "(" + (type.length() == SqlType.MAX ? "max" : type.length()) + ")";
            case TIME, DATETIME2, DATETIMEOFFSET -> name + "(" + type.scale() + ")";
            default -> name;
        };
    }

    @Override
    public void row(@Nullable Object[] values) {
        rows.add(values);
        events.add("row " + Stream.of(values).map(Recording::text).collect(Collectors.joining("|")));
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case byte[] bytes -> "0x" + HexFormat.of().withUpperCase().formatHex(bytes);
            case BigDecimal number -> number.toPlainString();
            case Boolean flag -> flag ? "1" : "0";
            case Double number -> TextForm.of(number, Types.FLOAT, -1);
            default -> value.toString();
        };
    }

    @Override
    public void info(Message message) {
        states.add(message.state());
        events.add("info " + message.number() + " " + message.text());
    }

    @Override
    public void flush() {
        events.add("flush");
    }

    @Override
    public void error(Message message) {
        states.add(message.state());
        events.add("error " + message.number() + " " + message.severity() + " line " + message.line()
                + (message.procedure().isEmpty() ? "" : " in " + message.procedure()) + ": " + message.text());
    }

    @Override
    public void transactionBegan(long descriptor) {
        events.add("began");
    }

    @Override
    public void transactionCommitted(long descriptor) {
        events.add("committed");
    }

    @Override
    public void transactionRolledBack(long descriptor) {
        events.add("rolled back");
    }

    @Override
    public void databaseChanged(String from, String to) {
        events.add("database " + from + " to " + to);
    }

    @Override
    public void languageChanged(String from, String to) {
        events.add("language " + from + " to " + to);
    }

    @Override
    public void returnStatus(int status) {
        events.add("status " + status);
    }

    @Override
    public void returnValue(int ordinal, String name, SqlType type, @Nullable Object value) {
        events.add("value " + name + " " + typeName(type) + " " + text(value));
    }

    @Override
    public void done(Done kind, int command, long rowCount, boolean error) {
        events.add(kind.name().toLowerCase(Locale.ROOT)
                + (rowCount == NO_COUNT ? "" : " " + rowCount)
                + (error ? " failed" : ""));
    }
}
