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
                rows.add(row(kind));
            }
        }
        return new Table(
                List.of(
                        new Column("statement", ColumnType.NVARCHAR, "What to type."),
                        new Column("description", ColumnType.NVARCHAR, "What it does.")),
                rows);
    }

    private static Row row(Command.Kind kind) {
        return switch (kind) {
            case PAUSE -> Row.of("PAUSE [bucket]", "Lets running work end, and holds new requests in the queue.");
            case RESUME -> Row.of("RESUME [bucket]", "Ends a pause.");
            case RECONNECT -> Row.of("RECONNECT bucket", "Replaces every server connection as it comes free.");
            case KILL -> Row.of("KILL client", "Closes a client's connection; SHOW CLIENTS lists them.");
            case RELOAD -> Row.of("RELOAD", "Reads the configuration files again.");
            case DRAIN -> Row.of("DRAIN", "Lets clients go at their transaction's end, then ends this instance.");
            case SET ->
                Row.of("SET key = 'value'", "Changes a setting until the next start; SHOW SETTINGS lists them.");
            case CREATE_SERVER ->
                Row.of(
                        "CREATE SERVER name [FOREIGN DATA WRAPPER name] OPTIONS (key 'value', …)",
                        "Adds a bucket to this instance.");
            case ALTER_SERVER ->
                Row.of("ALTER SERVER name OPTIONS (SET|ADD|DROP key 'value', …)", "Changes a bucket of this instance.");
            case DROP_SERVER -> Row.of("DROP SERVER [IF EXISTS] name", "Removes a bucket from this instance.");
            case CREATE_USER_MAPPING ->
                Row.of(
                        "CREATE USER MAPPING FOR user|PUBLIC SERVER name OPTIONS (user 'name', password 'password')",
                        "Says how a local user logs in at a server.");
            case ALTER_USER_MAPPING ->
                Row.of(
                        "ALTER USER MAPPING FOR user|PUBLIC SERVER name OPTIONS (SET|ADD|DROP key 'value', …)",
                        "Changes how a local user logs in.");
            case DROP_USER_MAPPING ->
                Row.of(
                        "DROP USER MAPPING [IF EXISTS] FOR user|PUBLIC SERVER name",
                        "Forgets how a local user logs in.");
        };
    }
}
