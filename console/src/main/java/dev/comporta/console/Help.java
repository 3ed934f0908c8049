package dev.comporta.console;

import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import java.util.ArrayList;
import java.util.List;

/** SHOW HELP. */
final class Help {
    private static final List<Row> STATEMENTS = List.of(
            Row.of(
                    "SELECT [DISTINCT] [TOP n] … FROM view [JOIN …] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …]",
                    "Queries views; read-only."),
            Row.of("PAUSE [bucket]", "Lets running work end, and holds new requests in the queue."),
            Row.of("RESUME [bucket]", "Ends a pause."),
            Row.of("RECONNECT bucket", "Replaces every server connection as it comes free."),
            Row.of("KILL client", "Closes a client's connection; SHOW CLIENTS lists them."),
            Row.of("RELOAD", "Reads the configuration files again."),
            Row.of("DRAIN", "Lets clients go at their transaction's end, then ends this instance."),
            Row.of("SET key = 'value'", "Changes a setting until the next start; SHOW SETTINGS lists them."),
            Row.of("CREATE SERVER name OPTIONS (key 'value', …)", "Adds a bucket to this instance."),
            Row.of("ALTER SERVER name OPTIONS (SET|ADD|DROP key 'value', …)", "Changes a bucket of this instance."),
            Row.of("DROP SERVER name", "Removes a bucket from this instance."));

    private Help() {}

    static Table of(Catalog catalog) {
        List<Row> rows = new ArrayList<>();
        catalog.views().stream()
                .filter(view -> !view.shownAs().isEmpty())
                .forEach(view ->
                        rows.add(Row.of("SHOW " + view.shownAs(), view.description() + " (" + view.fullName() + ")")));
        rows.addAll(STATEMENTS);
        return new Table(
                List.of(
                        new Column("statement", ColumnType.NVARCHAR, "What to type."),
                        new Column("description", ColumnType.NVARCHAR, "What it does.")),
                rows);
    }
}
