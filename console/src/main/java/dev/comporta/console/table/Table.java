package dev.comporta.console.table;

import java.util.List;

/** Rows at one moment: what a view holds when it is read, and what a query returns. */
public record Table(List<Column> columns, List<Row> rows) {
    public Table {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Finds rows that do not fit their columns here, not in the middle of a result on the wire. */
    static void check(String name, List<Column> columns, List<Row> rows) {
        for (Row row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalStateException("a row of " + name + " has " + row.size() + " values for "
                        + columns.size() + " columns: " + row);
            }
            for (int i = 0; i < columns.size(); i++) {
                Column column = columns.get(i);
                if (!column.type().accepts(row.get(i))) {
                    throw new IllegalStateException("a row of " + name + " has the value " + row.get(i) + " in column "
                            + column.name() + " of type " + column.type());
                }
            }
        }
    }
}
