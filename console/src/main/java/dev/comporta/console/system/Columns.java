package dev.comporta.console.system;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes columns from a text such as {@code name nvarchar, object_id int}: there are hundreds of them. */
final class Columns {
    private Columns() {}

    static List<Column> of(String text) {
        List<Column> columns = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            String[] parts = each.strip().split(" ", -1);
            columns.add(Column.of(parts[0], ColumnType.valueOf(parts[1].toUpperCase(Locale.ROOT))));
        }
        return List.copyOf(columns);
    }
}
