package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.store.Constraint;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** sp_fkeys: the foreign keys that refer to a table, or those of a table. */
final class ForeignKeyProcedure {
    private static final List<Column> COLUMNS = ResultColumns.of("""
            PKTABLE_QUALIFIER sysname, PKTABLE_OWNER sysname, PKTABLE_NAME sysname, PKCOLUMN_NAME sysname,
            FKTABLE_QUALIFIER sysname, FKTABLE_OWNER sysname, FKTABLE_NAME sysname, FKCOLUMN_NAME sysname,
            KEY_SEQ smallint, UPDATE_RULE smallint, DELETE_RULE smallint, FK_NAME sysname, PK_NAME sysname,
            DEFERRABILITY smallint
            """);

    private static final short NO_ACTION = 1;
    private static final short NOT_DEFERRABLE = 7;

    private ForeignKeyProcedure() {}

    static int run(SystemCall call) {
        String target = call.text(0, "@pktable_name");
        String source = call.text(3, "@fktable_name");
        String qualifier =
                call.text(source.isEmpty() ? 2 : 5, source.isEmpty() ? "@pktable_qualifier" : "@fktable_qualifier");
        Database database = CatalogProcedures.database(call, qualifier);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Table table : database.tables()) {
            for (Constraint constraint : table.constraints()) {
                Table referenced = constraint.kind() == Constraint.Kind.FOREIGN_KEY
                        ? call.session().engine().catalog().tableById(constraint.target())
                        : null;
                boolean ofSource = source.isEmpty() || source.equalsIgnoreCase(table.name());
                if (referenced != null
                        && ofSource
                        && (target.isEmpty() || target.equalsIgnoreCase(referenced.name()))) {
                    addRows(database, table, constraint, referenced, rows);
                }
            }
        }
        return call.result(COLUMNS, rows);
    }

    private static void addRows(
            Database database, Table table, Constraint reference, Table target, List<@Nullable Object[]> rows) {
        Constraint key = target.primaryKey();
        for (int i = 0; i < reference.columns().size(); i++) {
            rows.add(new @Nullable Object[] {
                target.database(),
                target.schema(),
                target.name(),
                reference.targetColumns().get(i),
                database.name(),
                table.schema(),
                table.name(),
                reference.columns().get(i),
                (short) (i + 1),
                NO_ACTION,
                NO_ACTION,
                reference.name(),
                key == null ? null : key.name(),
                NOT_DEFERRABLE
            });
        }
    }
}
