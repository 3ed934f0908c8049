package dev.comporta.console;

import dev.comporta.console.sql.Command;
import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** SHOW HELP. */
final class Help {
    private static final Row SELECT = Row.of(
            "SELECT [DISTINCT] [TOP n] … FROM view [JOIN …] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …]",
            "Queries views; read-only.");

    private Help() {}

    static Table of(Catalog catalog, Set<Command.Kind> offered) {
        List<Row> rows = new ArrayList<>();
        catalog.views().stream()
                .filter(view -> !view.shownAs().isEmpty())
                .forEach(view ->
                        rows.add(Row.of("SHOW " + view.shownAs(), view.description() + " (" + view.fullName() + ")")));
        rows.add(SELECT);
        for (Command.Kind kind : Command.Kind.values()) {
            if (offered.contains(kind)) {
                rows.add(Row.of(kind.syntax, kind.description));
            }
        }
        return new Table(
                List.of(
                        new Column("statement", ColumnType.NVARCHAR, "What to type."),
                        new Column("description", ColumnType.NVARCHAR, "What it does.")),
                rows);
    }
}
