package dev.comporta.console.table;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * A named table that is computed when it is read.
 *
 * @param schema {@code sys} for the views of the host
 * @param shownAs the word after SHOW, such as POOLS; empty when SHOW does not offer the view
 * @param description one sentence for people
 * @param rows an immutable snapshot; called once for each statement that reads the view, on the caller's thread
 */
public record View(
        String schema,
        String name,
        String shownAs,
        String description,
        List<Column> columns,
        Supplier<List<Row>> rows) {

    public static final String SYS = "sys";

    public View {
        columns = List.copyOf(columns);
        shownAs = shownAs.toUpperCase(Locale.ROOT);
    }

    /** A view of the host. */
    public static View of(
            String name, String shownAs, String description, List<Column> columns, Supplier<List<Row>> rows) {
        return new View(SYS, name, shownAs, description, columns, rows);
    }

    public Table read() {
        List<Row> snapshot = rows.get();
        Table.check(name, columns, snapshot);
        return new Table(columns, snapshot);
    }

    public String fullName() {
        return schema + "." + name;
    }
}
