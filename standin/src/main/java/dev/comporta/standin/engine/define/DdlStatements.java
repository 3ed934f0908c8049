package dev.comporta.standin.engine.define;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Catalog;
import dev.comporta.standin.engine.store.Constraint;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.store.Table;
import java.util.List;
import java.util.Locale;

/** CREATE, ALTER and DROP. */
public final class DdlStatements {
    private final Session session;
    private final Catalog catalog;
    private final TableMaker maker;
    private final TableChanger changer;

    public DdlStatements(Session session) {
        this.session = session;
        this.catalog = session.engine().catalog();
        this.maker = new TableMaker(session);
        this.changer = new TableChanger(session, maker);
    }

    public void declare(Statement.DeclareTable statement, Frame frame) {
        maker.create(new ObjectName("", "", statement.name()), statement.elements(), frame);
    }

    public void run(Statement statement, Frame frame) {
        // DDL opens an implicit transaction.
        session.touching(frame, true, true, () -> dispatch(statement, frame));
    }

    private void dispatch(Statement statement, Frame frame) {
        switch (statement) {
            case Statement.CreateTable s -> maker.create(s.table(), s.elements(), frame);
            case Statement.AlterTable s -> changer.alter(s, frame);
            case Statement.CreateIndex s -> createIndex(s, frame);
            case Statement.DropIndex s -> dropIndex(s, frame);
            case Statement.CreateView s -> createView(s, frame);
            case Statement.CreateProcedure s -> createProcedure(s, frame);
            case Statement.CreateSchema s -> createSchema(s);
            case Statement.CreateDatabase s -> createDatabase(s);
            case Statement.Drop s -> s.names().forEach(name -> drop(s, name, frame));
            default -> throw SqlError.unsupported(statement.getClass().getSimpleName());
        }
    }

    private void createIndex(Statement.CreateIndex statement, Frame frame) {
        Table table = new SessionEnvironment(session, frame).table(statement.table());
        if (table.constraint(statement.name()) != null) {
            String text = "The operation failed because an index or statistics with name '" + statement.name()
                    + "' already exists on table '" + statement.table() + "'.";
            throw new SqlError(1913, 16, 1, SqlError.Effect.BATCH, text);
        }
        List<String> columns = TableMaker.canonical(table, statement.columns());
        Constraint.Kind kind = statement.unique() ? Constraint.Kind.UNIQUE_INDEX : Constraint.Kind.INDEX;
        Constraint index = new Constraint(catalog.newObjectId(), statement.name(), kind, columns, 0, List.of(), "");
        String unique = statement.unique() ? "UNIQUE NULLS NOT DISTINCT " : "";
        changer.define("CREATE " + unique + "INDEX " + index.h2Name() + " ON " + table.h2Name() + " ("
                + TableMaker.joined(columns) + ")");
        List<Constraint> before = table.constraints();
        table.add(index);
        session.transactions().did(() -> {
            table.replaceConstraints(before);
            session.engine().define("DROP INDEX IF EXISTS " + index.h2Name());
        });
    }

    private void dropIndex(Statement.DropIndex statement, Frame frame) {
        Table table = new SessionEnvironment(session, frame).table(statement.table());
        Constraint index = table.constraint(statement.name());
        if (index == null) {
            if (statement.ifExists()) {
                return;
            }
            String text = "Cannot drop the index '" + statement.table() + "." + statement.name()
                    + "', because it does not exist or you do not have permission.";
            throw SqlError.statement(3701, 11, 7, text);
        }
        changer.removeConstraint(table, index, "DROP INDEX IF EXISTS " + index.h2Name());
    }

    private void createView(Statement.CreateView statement, Frame frame) {
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Database database = environment.database(statement.name());
        String schema = SessionEnvironment.schema(statement.name());
        String name = statement.name().name();
        Relation.View before = database.view(schema, name);
        if (before == null && database.has(schema, name)) {
            throw alreadyThere(name);
        }
        if (before != null && !statement.alter()) {
            throw alreadyThere(name);
        }
        // A view of an object that does not exist is an error at once.
        Renderer.query(statement.query(), environment);
        Relation.View view = new Relation.View(
                catalog.newObjectId(),
                database.name(),
                schema,
                name,
                statement.columns(),
                statement.query(),
                statement.text());
        database.add(view);
        session.transactions().did(() -> {
            database.remove(view);
            if (before != null) {
                database.add(before);
            }
        });
    }

    private static SqlError alreadyThere(String name) {
        String text = "There is already an object named '" + name + "' in the database.";
        return new SqlError(2714, 16, 3, SqlError.Effect.BATCH, text);
    }

    private void createProcedure(Statement.CreateProcedure statement, Frame frame) {
        Database database = new SessionEnvironment(session, frame).database(statement.name());
        String schema = SessionEnvironment.schema(statement.name());
        String name = statement.name().name();
        Procedure before = database.procedure(schema, name);
        if (statement.alter() && before == null) {
            throw SqlError.invalidObject(statement.name().toString());
        }
        boolean replaces = statement.alter() || statement.orAlter();
        if (!replaces && database.has(schema, name)) {
            throw alreadyThere(name);
        }
        Procedure procedure = new Procedure(
                before == null ? catalog.newObjectId() : before.id(),
                database.name(),
                schema,
                name,
                statement.parameters(),
                statement.body(),
                session.options().isOn(Options.Switch.QUOTED_IDENTIFIER),
                statement.text());
        if (statement.name().isTemporary()) {
            session.procedures().put(Frame.key(name), procedure);
            return;
        }
        database.add(procedure);
        session.transactions().did(() -> {
            database.remove(procedure);
            if (before != null) {
                database.add(before);
            }
        });
    }

    private void createSchema(Statement.CreateSchema statement) {
        Database database = catalog.require(session.database());
        if (!database.schemas().add(statement.name())) {
            throw alreadyThere(statement.name());
        }
        session.transactions().did(() -> database.schemas().remove(statement.name()));
    }

    private void createDatabase(Statement.CreateDatabase statement) {
        refuseInTransaction("CREATE DATABASE");
        if (catalog.database(statement.name()) != null) {
            String text = "Database '" + statement.name() + "' already exists. Choose a different database name.";
            throw SqlError.statement(1801, 16, 3, text);
        }
        catalog.create(statement.name());
    }

    private void refuseInTransaction(String what) {
        if (session.transactions().isOpen()) {
            String text = what + " statement not allowed within multi-statement transaction.";
            throw SqlError.statement(226, 16, 6, text);
        }
    }

    private void drop(Statement.Drop statement, ObjectName name, Frame frame) {
        boolean found = switch (statement.kind()) {
            case "TABLE" -> dropTable(name, frame);
            case "VIEW" -> dropView(name, frame);
            case "PROCEDURE" -> dropProcedure(name, frame);
            case "SCHEMA" -> catalog.require(session.database()).schemas().remove(name.name());
            default -> dropDatabase(name);
        };
        if (!found && !statement.ifExists()) {
            String kind = statement.kind().toLowerCase(Locale.ROOT);
            String text = "Cannot drop the " + kind + " '" + name
                    + "', because it does not exist or you do not have permission.";
            throw SqlError.statement(3701, 11, 5, text);
        }
    }

    private boolean dropTable(ObjectName name, Frame frame) {
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Table table = environment.temporary(name);
        if (table == null) {
            Database database = catalog.database(name.database().isEmpty() ? session.database() : name.database());
            table = database == null ? null : database.table(SessionEnvironment.schema(name), name.name());
        }
        if (table == null) {
            return false;
        }
        changer.refuseIfReferenced(table, name);
        changer.dropTable(table, name.name(), frame);
        return true;
    }

    private boolean dropView(ObjectName name, Frame frame) {
        Database database = new SessionEnvironment(session, frame).database(name);
        Relation.View view = database.view(SessionEnvironment.schema(name), name.name());
        if (view == null) {
            return false;
        }
        database.remove(view);
        session.transactions().did(() -> database.add(view));
        return true;
    }

    private boolean dropProcedure(ObjectName name, Frame frame) {
        if (name.isTemporary()) {
            return session.procedures().remove(Frame.key(name.name())) != null;
        }
        Database database = new SessionEnvironment(session, frame).database(name);
        Procedure procedure = database.procedure(SessionEnvironment.schema(name), name.name());
        if (procedure == null) {
            return false;
        }
        database.remove(procedure);
        session.transactions().did(() -> database.add(procedure));
        return true;
    }

    private boolean dropDatabase(ObjectName name) {
        refuseInTransaction("DROP DATABASE");
        Database database = catalog.database(name.name());
        if (database == null) {
            return false;
        }
        boolean used = session.engine().sessions().stream()
                .anyMatch(other -> other.database().equalsIgnoreCase(name.name()));
        if (used || database.id() <= 4) {
            String text = "Cannot drop database \"" + database.name() + "\" because it is currently in use.";
            throw SqlError.statement(3702, 16, 3, text);
        }
        for (Table table : database.tables()) {
            session.engine().define("DROP TABLE IF EXISTS " + table.h2Name() + " CASCADE");
        }
        catalog.drop(database);
        return true;
    }
}
