package dev.comporta.standin.engine.define;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.TableElement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Catalog;
import dev.comporta.standin.engine.store.Constraint;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates tables and their constraints, in the catalog and in H2. A rollback removes what its transaction created; what
 * the transaction drops is only hidden until it commits.
 */
public final class TableMaker {
    private final Session session;
    private final Catalog catalog;

    public TableMaker(Session session) {
        this.session = session;
        this.catalog = session.engine().catalog();
    }

    Table create(ObjectName name, List<TableElement> elements, Frame frame) {
        List<TableColumn> columns = new ArrayList<>();
        List<TableElement.Constraint> constraints = new ArrayList<>();
        for (TableElement element : elements) {
            switch (element) {
                case TableElement.ColumnDef column -> {
                    columns.add(column(column));
                    constraints.addAll(column.constraints());
                }
                case TableElement.Constraint constraint -> constraints.add(constraint);
            }
        }
        return create(name, columns, constraints, frame);
    }

    public Table create(
            ObjectName name, List<TableColumn> declared, List<TableElement.Constraint> constraints, Frame frame) {
        List<TableColumn> columns = keysNotNull(declared, constraints);
        checkColumns(name, columns);
        boolean temporary = name.isTemporary() || name.name().startsWith("@");
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Database database = temporary ? catalog.require("tempdb") : environment.database(name);
        String schema = temporary ? "dbo" : SessionEnvironment.schema(name);
        checkFree(name, database, schema, frame);
        int id = catalog.newObjectId();
        boolean local = temporary && !name.name().startsWith("##");
        // Two sessions can each have a #t: in tempdb their names differ, as in SQL Server.
        String stored = local ? name.name() + "_".repeat(20) + String.format("%012X", id) : name.name();
        Table table = new Table(
                id, database.name(), schema, stored, columns, Conversion.now().toLocalDateTime());
        String definition = columns.stream()
                .map(TableMaker::definition)
                .collect(Collectors.joining(", ", "CREATE TABLE " + table.h2Name() + " (", ")"));
        session.engine().define(definition);
        try {
            for (TableElement.Constraint constraint : constraints) {
                addConstraint(table, constraint, environment);
            }
        } catch (SqlError e) {
            session.engine().define("DROP TABLE " + table.h2Name());
            throw e;
        }
        enter(name.name(), table, database, local, frame);
        return table;
    }

    private void enter(String name, Table table, Database database, boolean local, Frame frame) {
        database.add(table);
        Map<String, Table> scope = scope(name, local, frame);
        if (scope != null) {
            scope.put(Frame.key(name), table);
        }
        if (name.startsWith("@")) {
            // A table variable does not take part in the transaction.
            return;
        }
        session.transactions().did(() -> {
            database.remove(table);
            if (scope != null) {
                scope.remove(Frame.key(name), table);
            }
            session.engine().define("DROP TABLE IF EXISTS " + table.h2Name());
        });
    }

    /** A batch's temporary tables belong to the session; a procedure's end with it; a global one ends with its session. */
    private @Nullable Map<String, Table> scope(String name, boolean local, Frame frame) {
        if (name.startsWith("@")) {
            return frame.tables;
        }
        if (local) {
            return localScope(frame);
        }
        return name.startsWith("##") ? session.tables() : null;
    }

    /** Babelfish's local tables outlive the text of a client's call, and dynamic SQL: they end with the caller of the text. */
    private Map<String, Table> localScope(Frame frame) {
        Frame owner = frame;
        while (session.isBabelfish() && owner.procedure.isEmpty()) {
            Frame caller = owner.caller;
            if (caller == null) {
                return session.tables();
            }
            owner = caller;
        }
        return owner.nestLevel == 0 ? session.tables() : owner.tables;
    }

    private void checkFree(ObjectName name, Database database, String schema, Frame frame) {
        boolean taken;
        if (name.name().startsWith("@")) {
            taken = false;
        } else if (name.isTemporary() && !name.name().startsWith("##")) {
            taken = localScope(frame).containsKey(Frame.key(name.name()));
        } else {
            taken = database.has(schema, name.name());
        }
        if (taken) {
            String text = "There is already an object named '" + name.name() + "' in the database.";
            throw new SqlError(2714, 16, 6, SqlError.Effect.BATCH, text);
        }
        if (!database.schemas().contains(schema)) {
            String text = "The specified schema name \"" + schema
                    + "\" either does not exist or you do not have permission to use it.";
            throw new SqlError(2760, 16, 1, SqlError.Effect.BATCH, text);
        }
    }

    private static void checkColumns(ObjectName name, List<TableColumn> columns) {
        List<String> seen = new ArrayList<>();
        for (TableColumn column : columns) {
            String key = column.name().toLowerCase(Locale.ROOT);
            if (seen.contains(key)) {
                String text = "Column names in each table must be unique. Column name '" + column.name()
                        + "' in table '" + name.name() + "' is specified more than once.";
                throw new SqlError(2705, 16, 3, SqlError.Effect.BATCH, text);
            }
            seen.add(key);
        }
    }

    private static List<TableColumn> keysNotNull(List<TableColumn> columns, List<TableElement.Constraint> constraints) {
        List<String> keys = new ArrayList<>();
        for (TableElement.Constraint constraint : constraints) {
            if (constraint instanceof TableElement.Key key && key.primary()) {
                key.columns().forEach(column -> keys.add(column.toLowerCase(Locale.ROOT)));
            }
        }
        return columns.stream()
                .map(column -> keys.contains(column.name().toLowerCase(Locale.ROOT)) ? required(column) : column)
                .toList();
    }

    private static TableColumn required(TableColumn column) {
        return new TableColumn(
                column.name(), column.type(), false, column.identity(), column.defaultValue(), column.defaultText());
    }

    TableColumn column(TableElement.ColumnDef definition) {
        Boolean written = definition.nullable();
        boolean rowVersion = definition.type().name() == SqlType.Name.ROWVERSION;
        boolean nullable = written != null ? written : definition.identity() == null && !rowVersion;
        return new TableColumn(
                definition.name(),
                definition.type(),
                nullable,
                definition.identity(),
                definition.defaultValue(),
                definition.defaultText());
    }

    static String definition(TableColumn column) {
        return quoted(column.name()) + " " + Types.h2(column.type()) + (column.nullable() ? "" : " NOT NULL");
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    void addConstraint(Table table, TableElement.Constraint constraint, SessionEnvironment environment) {
        int id = catalog.newObjectId();
        Constraint made = switch (constraint) {
            case TableElement.Key key -> key(table, key, id);
            case TableElement.Check check -> check(table, check, id, environment);
            case TableElement.ForeignKey reference -> reference(table, reference, id, environment);
        };
        table.add(made);
    }

    private Constraint key(Table table, TableElement.Key key, int id) {
        List<String> columns = canonical(table, key.columns());
        Constraint.Kind kind = key.primary() ? Constraint.Kind.PRIMARY_KEY : Constraint.Kind.UNIQUE;
        String prefix = key.primary() ? "PK__" : "UQ__";
        Constraint constraint =
                new Constraint(id, name(key.name(), prefix, table, id), kind, columns, 0, List.of(), "");
        String words = key.primary() ? "PRIMARY KEY" : "UNIQUE NULLS NOT DISTINCT";
        session.engine()
                .define("ALTER TABLE " + table.h2Name() + " ADD CONSTRAINT " + constraint.h2Name() + " " + words + " ("
                        + joined(columns) + ")");
        return constraint;
    }

    private Constraint check(Table table, TableElement.Check check, int id, SessionEnvironment environment) {
        String sql = Renderer.check(check.condition(), table, environment);
        Constraint constraint = new Constraint(
                id,
                name(check.name(), "CK__", table, id),
                Constraint.Kind.CHECK,
                List.of(),
                0,
                List.of(),
                check.text());
        session.engine()
                .define("ALTER TABLE " + table.h2Name() + " ADD CONSTRAINT " + constraint.h2Name() + " CHECK (" + sql
                        + ")");
        return constraint;
    }

    private Constraint reference(
            Table table, TableElement.ForeignKey reference, int id, SessionEnvironment environment) {
        Table target = environment.table(reference.target());
        Constraint primary = target.primaryKey();
        List<String> targetColumns = reference.targetColumns().isEmpty() && primary != null
                ? primary.columns()
                : canonical(target, reference.targetColumns());
        List<String> columns = canonical(table, reference.columns());
        Constraint constraint = new Constraint(
                id,
                name(reference.name(), "FK__", table, id),
                Constraint.Kind.FOREIGN_KEY,
                columns,
                target.id(),
                targetColumns,
                "");
        session.engine()
                .define("ALTER TABLE " + table.h2Name() + " ADD CONSTRAINT " + constraint.h2Name() + " FOREIGN KEY ("
                        + joined(columns) + ") REFERENCES " + target.h2Name() + " (" + joined(targetColumns) + ")"
                        + (reference.cascadeDelete() ? " ON DELETE CASCADE" : "")
                        + (reference.cascadeUpdate() ? " ON UPDATE CASCADE" : ""));
        return constraint;
    }

    static String joined(List<String> columns) {
        return columns.stream().map(TableMaker::quoted).collect(Collectors.joining(", "));
    }

    /** The columns as the table spells them. */
    static List<String> canonical(Table table, List<String> names) {
        List<String> canonical = new ArrayList<>();
        for (String name : names) {
            TableColumn column = table.column(name);
            if (column == null) {
                String text = "Column name '" + name + "' does not exist in the target table or view.";
                throw new SqlError(1911, 16, 1, SqlError.Effect.BATCH, text);
            }
            canonical.add(column.name());
        }
        return canonical;
    }

    private static String name(String written, String prefix, Table table, int id) {
        return written.isEmpty() ? prefix + table.name() + "__" + String.format("%08X", id) : written;
    }
}
