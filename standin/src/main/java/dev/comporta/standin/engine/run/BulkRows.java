package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.EngineSession.BulkInsert;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.ast.TableElement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.query.DmlRenderer;
import dev.comporta.standin.engine.query.H2Functions;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.Types;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inserts a bulk load's rows into the table of the preceding INSERT BULK: all of them, or none. */
final class BulkRows implements BulkInsert {
    private final Session session;
    private final Response response;
    private final List<Column> columns = new ArrayList<>();
    private final List<SqlType> targets = new ArrayList<>();
    private final Conversion conversion;
    private final @Nullable Table table;
    private @Nullable Rendered rendered;
    private @Nullable PreparedStatement statement;
    private @Nullable SqlError error;
    private @Nullable Savepoint before;
    private long count;

    /** @param refused whether to refuse the load, whatever its rows are */
    BulkRows(Session session, Statement.@Nullable InsertBulk announced, Response response, boolean refused) {
        this.session = session;
        this.response = response;
        this.conversion = new Conversion(session.options().dateFormat);
        if (refused) {
            table = null;
            error = SqlError.statement(33557097, 16, 1, "A bulk load of this session has failed before.");
            return;
        }
        if (announced == null) {
            table = null;
            String text = "Bulk load data was expected but not sent. The batch will be terminated.";
            error = SqlError.statement(4002, 16, 1, text);
            return;
        }
        Frame frame = Frame.batch(new Output(response));
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        table = environment.table(announced.table());
        prepare(announced, table, environment);
    }

    private void prepare(Statement.InsertBulk announced, Table into, SessionEnvironment environment) {
        List<String> names = new ArrayList<>();
        for (TableElement.ColumnDef definition : announced.columns()) {
            TableColumn column = into.column(definition.name());
            if (column == null) {
                error = SqlError.invalidColumn(definition.name());
                return;
            }
            columns.add(new Column(column.name(), definition.type(), column.nullable(), column.identity() != null));
            targets.add(column.type());
            names.add(column.name());
        }
        int identityInsert = session.values().identityInsertTable;
        // A bulk load that lists the identity column supplies its values (KEEPIDENTITY).
        boolean keepsIdentity = columns.stream().anyMatch(Column::identity);
        session.values().identityInsertTable = keepsIdentity ? into.id() : identityInsert;
        try {
            session.transactions().applyIsolation();
            before = session.transactions().isOpen()
                    ? session.executor().connection().setSavepoint()
                    : null;
            rendered = DmlRenderer.insertRows(into, names, environment);
            statement = session.executor().connection().prepareStatement(rendered.sql());
        } catch (SQLException e) {
            fail(session.engine().errors().translate(e, "INSERT", into));
        } catch (SqlError e) {
            error = e;
        } finally {
            session.values().identityInsertTable = identityInsert;
        }
    }

    private void fail(RuntimeException e) {
        if (e instanceof SqlError sqlError) {
            error = sqlError;
        } else {
            throw e;
        }
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public void row(@Nullable Object[] values) {
        PreparedStatement insert = statement;
        Rendered current = rendered;
        if (error != null || insert == null || current == null || table == null) {
            // The rest of the data must be read nevertheless.
            return;
        }
        H2Functions.enter(current);
        try {
            for (int i = 0; i < values.length; i++) {
                insert.setObject(i + 1, stored(values[i], i));
            }
            for (int i = values.length; i < current.parameters().size(); i++) {
                insert.setObject(i + 1, current.parameters().get(i));
            }
            insert.executeUpdate();
            count++;
        } catch (SQLException e) {
            fail(session.engine().errors().translate(e, "INSERT", table));
        } catch (SqlError e) {
            error = e;
        } finally {
            H2Functions.leave();
        }
    }

    private @Nullable Object stored(@Nullable Object value, int index) {
        SqlType target = targets.get(index);
        Object converted = conversion.convert(value, columns.get(index).type(), target);
        boolean pads = converted instanceof String && Types.isFixedText(target);
        return pads && converted instanceof String text ? text.stripTrailing() : converted;
    }

    @Override
    public void end() {
        close();
        Output output = new Output(response);
        SqlError failure = error;
        if (failure == null) {
            session.transactions().autocommit();
            session.values().rowCount = count;
            output.done(Response.Done.DONE, 0, count, false);
            return;
        }
        undo();
        session.failBulk();
        output.error(failure.at(1));
        output.done(Response.Done.DONE, 0, Response.NO_COUNT, true);
    }

    private void undo() {
        session.transactions().autorollback();
        try {
            if (before != null) {
                session.executor().connection().rollback(before);
            }
        } catch (SQLException e) {
            throw session.engine().errors().translate(e, "INSERT", table);
        }
    }

    private void close() {
        try {
            if (statement != null) {
                statement.close();
            }
        } catch (SQLException e) {
            fail(session.engine().errors().translate(e, "INSERT", table));
        }
    }
}
