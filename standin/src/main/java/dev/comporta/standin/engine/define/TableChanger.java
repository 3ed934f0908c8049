package dev.comporta.standin.engine.define;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.ast.TableElement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.query.DmlRenderer;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Constraint;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.H2Errors;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** ALTER TABLE and DROP TABLE. A dropped table is hidden at once, and removed when its transaction commits. */
record TableChanger(Session session, TableMaker maker) {
    void alter(Statement.AlterTable statement, Frame frame) {
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Table table = environment.table(statement.table());
        switch (statement.action()) {
            case Statement.Add add -> add(table, add, environment);
            case Statement.DropColumns drop -> drop.columns().forEach(name -> dropColumn(table, name));
            case Statement.DropConstraint drop -> dropConstraint(table, drop.name());
            case Statement.AlterColumn change -> alterColumn(table, change);
        }
    }

    /**
     * Runs DDL on a table that may have rows. H2 runs it outside of the session's transaction, so rows that the transaction has
     * changed block it: SQL Server could do it, the stand-in reports that it is not supported.
     */
    void define(String sql) {
        try {
            session.engine().h2().define(sql);
        } catch (SQLException e) {
            if (H2Errors.isLockWait(e) && session.transactions().isOpen()) {
                throw SqlError.unsupported("DDL on a table that the open transaction has changed");
            }
            throw session.engine().errors().translate(e, "ALTER TABLE", null);
        }
    }

    private void add(Table table, Statement.Add add, SessionEnvironment environment) {
        for (TableElement element : add.elements()) {
            switch (element) {
                case TableElement.ColumnDef definition -> addColumn(table, definition, environment);
                case TableElement.Constraint constraint -> addConstraint(table, constraint, environment);
            }
        }
    }

    private void addColumn(Table table, TableElement.ColumnDef definition, SessionEnvironment environment) {
        if (table.column(definition.name()) != null) {
            String text = "Column names in each table must be unique. Column name '" + definition.name()
                    + "' in table '" + table.name() + "' is specified more than once.";
            throw SqlError.statement(2705, 16, 4, text);
        }
        if (definition.identity() != null) {
            throw SqlError.unsupported("adding an identity column");
        }
        TableColumn column = maker.column(definition);
        List<TableColumn> before = table.columns();
        List<TableColumn> after = new ArrayList<>(before);
        after.add(column);
        TableColumn loose =
                new TableColumn(column.name(), column.type(), true, null, column.defaultValue(), column.defaultText());
        define("ALTER TABLE " + table.h2Name() + " ADD COLUMN " + TableMaker.definition(loose));
        table.replaceColumns(after);
        if (!column.nullable()) {
            fillAndRequire(table, column, environment);
        }
        definition.constraints().forEach(constraint -> addConstraint(table, constraint, environment));
        session.transactions().did(() -> {
            table.replaceColumns(before);
            session.engine()
                    .define("ALTER TABLE " + table.h2Name() + " DROP COLUMN " + TableMaker.quoted(column.name()));
        });
    }

    /** Fills a new NOT NULL column of the existing rows with its default. */
    private void fillAndRequire(Table table, TableColumn column, SessionEnvironment environment) {
        if (column.defaultValue() != null) {
            if (session.transactions().isOpen()) {
                throw SqlError.unsupported("adding a NOT NULL column with a default inside a transaction");
            }
            var clause = new Statement.SetClause(column.name(), "", column.defaultValue());
            ObjectName name = new ObjectName(table.database(), table.schema(), table.name());
            var update = new Statement.Update(0, null, name, List.of(clause), List.of(), null, "");
            session.executor().update(DmlRenderer.update(update, table, environment, 0), "ALTER TABLE", table, -1);
            session.executor().commit();
        }
        define("ALTER TABLE " + table.h2Name() + " ALTER COLUMN " + TableMaker.quoted(column.name()) + " SET NOT NULL");
    }

    private void addConstraint(Table table, TableElement.Constraint constraint, SessionEnvironment environment) {
        List<Constraint> before = table.constraints();
        maker.addConstraint(table, constraint, environment);
        Constraint made = table.constraints().getLast();
        session.transactions().did(() -> {
            table.replaceConstraints(before);
            session.engine().define("ALTER TABLE " + table.h2Name() + " DROP CONSTRAINT IF EXISTS " + made.h2Name());
        });
    }

    private void dropColumn(Table table, String name) {
        TableColumn column = table.column(name);
        if (column == null) {
            String text = "ALTER TABLE DROP COLUMN failed because column '" + name + "' does not exist in table '"
                    + table.name() + "'.";
            throw SqlError.statement(4924, 16, 1, text);
        }
        refuseInTransaction("ALTER TABLE DROP COLUMN");
        define("ALTER TABLE " + table.h2Name() + " DROP COLUMN " + TableMaker.quoted(column.name()));
        table.replaceColumns(
                table.columns().stream().filter(other -> !other.equals(column)).toList());
    }

    private void alterColumn(Table table, Statement.AlterColumn change) {
        TableColumn column = table.column(change.name());
        if (column == null) {
            throw SqlError.invalidColumn(change.name());
        }
        refuseInTransaction("ALTER TABLE ALTER COLUMN");
        boolean nullable = change.nullable() == null || change.nullable();
        TableColumn changed = new TableColumn(
                column.name(), change.type(), nullable, column.identity(), column.defaultValue(), column.defaultText());
        define("ALTER TABLE " + table.h2Name() + " ALTER COLUMN " + TableMaker.definition(changed));
        table.replaceColumns(table.columns().stream()
                .map(other -> other.equals(column) ? changed : other)
                .toList());
    }

    private void refuseInTransaction(String what) {
        if (session.transactions().isOpen()) {
            throw SqlError.unsupported(what + " inside a transaction");
        }
    }

    private void dropConstraint(Table table, String name) {
        Constraint constraint = table.constraint(name);
        if (constraint == null) {
            throw SqlError.statement(3728, 16, 1, "'" + name + "' is not a constraint.");
        }
        removeConstraint(
                table, constraint, "ALTER TABLE " + table.h2Name() + " DROP CONSTRAINT " + constraint.h2Name());
    }

    void removeConstraint(Table table, Constraint constraint, String sql) {
        refuseInTransaction("dropping a constraint or index");
        define(sql);
        table.replaceConstraints(table.constraints().stream()
                .filter(other -> !other.equals(constraint))
                .toList());
    }

    void refuseIfReferenced(Table table, ObjectName name) {
        for (Database database : session.engine().catalog().databases()) {
            for (Table other : database.tables()) {
                boolean refers = other != table
                        && other.constraints().stream().anyMatch(constraint -> constraint.target() == table.id());
                if (refers) {
                    String text = "Could not drop object '" + name
                            + "' because it is referenced by a FOREIGN KEY constraint.";
                    throw SqlError.statement(3726, 16, 1, text);
                }
            }
        }
    }

    void dropTable(Table table, String name, Frame frame) {
        Database database = session.engine().catalog().require(table.database());
        Runnable put = hide(table, name, frame);
        database.remove(table);
        session.transactions()
                .did(
                        () -> {
                            database.add(table);
                            put.run();
                        },
                        () -> session.engine().discard(table));
    }

    /** Removes a temporary table from the scope that has it, and returns how to restore it. */
    private Runnable hide(Table table, String name, Frame frame) {
        String key = Frame.key(name);
        for (Frame scope = frame; scope != null; scope = scope.caller) {
            if (scope.tables.remove(key, table)) {
                Frame owner = scope;
                return () -> owner.tables.put(key, table);
            }
        }
        if (session.tables().remove(key, table)) {
            return () -> session.tables().put(key, table);
        }
        return () -> {};
    }
}
