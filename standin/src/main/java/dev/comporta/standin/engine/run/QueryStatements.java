package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.ast.TableElement;
import dev.comporta.standin.engine.define.TableMaker;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.query.DmlRenderer;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Executor;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SELECT, INSERT, UPDATE, DELETE, TRUNCATE. */
final class QueryStatements {
    private final Session session;
    private final Interpreter interpreter;
    private final TableMaker maker;

    QueryStatements(Session session, Interpreter interpreter) {
        this.session = session;
        this.interpreter = interpreter;
        this.maker = new TableMaker(session);
    }

    void select(Query query, Frame frame) {
        if (query.body() instanceof Query.Select select) {
            if (select.into() != null) {
                selectInto(query, select, select.into(), frame);
                return;
            }
            if (!select.items().getFirst().variable().isEmpty()) {
                assign(query, select, frame);
                return;
            }
        }
        Rendered rendered = Renderer.query(query, new SessionEnvironment(session, frame));
        Output output = frame.output;
        output.columns(rendered.columns());
        if (session.options().isOn(Options.Switch.FMTONLY)) {
            output.done(frame.doneKind, Command.SELECT, 0, false);
            return;
        }
        finished(frame, Command.SELECT, session.query(frame, rendered, rows(rendered.columns(), output)));
    }

    private int timeout() {
        return session.options().lockTimeout;
    }

    /** Sends rows to the client: at most ROWCOUNT, with large values truncated to TEXTSIZE. */
    Executor.Rows rows(List<Column> columns, Output output) {
        long most = session.options().rowCount;
        int textSize = session.options().textSize;
        boolean cuts = textSize >= 0
                && textSize < Integer.MAX_VALUE
                && columns.stream().anyMatch(column -> Types.isLarge(column.type()));
        long[] sent = new long[1];
        return values -> {
            if (cuts) {
                cut(columns, values, textSize);
            }
            output.row(values);
            sent[0]++;
            return most == 0 || sent[0] < most;
        };
    }

    private static void cut(List<Column> columns, @Nullable Object[] values, int textSize) {
        for (int i = 0; i < values.length; i++) {
            SqlType type = columns.get(i).type();
            int most = Types.isUnicode(type) ? textSize / 2 : textSize;
            if (!Types.isLarge(type)) {
                continue;
            }
            if (values[i] instanceof String text && text.length() > most) {
                values[i] = text.substring(0, most);
            } else if (values[i] instanceof byte[] bytes && bytes.length > most) {
                values[i] = Arrays.copyOf(bytes, most);
            }
        }
    }

    /** Ends a statement that counts rows. NOCOUNT omits the count, and inside procedures the whole DONEINPROC. */
    void finished(Frame frame, int command, long count) {
        session.values().rowCount = count;
        boolean silent = session.options().isOn(Options.Switch.NOCOUNT);
        boolean inProcedure = frame.doneKind == Response.Done.DONEINPROC;
        if (silent && inProcedure && command != Command.SELECT) {
            return;
        }
        frame.output.done(frame.doneKind, command, silent ? Response.NO_COUNT : count, false);
    }

    /** SELECT @a = x, @b = y: the variables get the last row's values; without a row they keep theirs. */
    private void assign(Query query, Query.Select select, Frame frame) {
        List<String> names = new ArrayList<>();
        for (Query.Item item : select.items()) {
            if (item.variable().isEmpty()) {
                String text = "A SELECT statement that assigns a value to a variable must not be combined with"
                        + " data-retrieval operations.";
                throw new SqlError(141, 15, 1, SqlError.Effect.BATCH, text);
            }
            names.add(item.variable());
        }
        Rendered rendered = Renderer.query(query, new SessionEnvironment(session, frame));
        Conversion conversion = new Conversion(session.options().dateFormat);
        long most = session.options().rowCount;
        long[] count = new long[1];
        session.query(frame, rendered, values -> {
            for (int i = 0; i < values.length; i++) {
                SqlType from = rendered.columns().get(i).type();
                SqlType to = frame.variable(names.get(i)).type();
                frame.assign(names.get(i), conversion.convert(values[i], from, to));
            }
            count[0]++;
            return most == 0 || count[0] < most;
        });
        session.values().rowCount = count[0];
    }

    private void selectInto(Query query, Query.Select select, ObjectName target, Frame frame) {
        Query.Select source = new Query.Select(
                select.distinct(),
                select.top(),
                select.items(),
                null,
                select.from(),
                select.where(),
                select.groupBy(),
                select.having());
        Query plain = new Query(query.with(), source, query.orderBy(), query.offset(), query.fetch());
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Rendered probe = Renderer.query(plain, environment);
        List<TableColumn> columns = new ArrayList<>();
        for (Column column : probe.columns()) {
            if (column.name().isEmpty()) {
                String text =
                        "An object or column name is missing or empty. For SELECT INTO statements, verify each column"
                                + " has a name. For other statements, look for empty alias names. Aliases defined as \"\" or [] are"
                                + " not allowed. Change the alias to a valid name.";
                throw new SqlError(1038, 15, 5, SqlError.Effect.BATCH, text);
            }
            var identity = column.identity() ? new TableElement.Identity(1, 1) : null;
            columns.add(new TableColumn(column.name(), column.type(), column.nullable(), identity, null, ""));
        }
        long[] count = new long[1];
        session.touching(frame, true, true, () -> {
            Table table = maker.create(target, columns, List.of(), frame);
            List<String> names = columns.stream().map(TableColumn::name).toList();
            int before = session.values().identityInsertTable;
            session.values().identityInsertTable = table.id();
            try {
                Statement.Insert insert = new Statement.Insert(0, target, names, plain, null, List.of());
                Rendered rendered = DmlRenderer.insert(insert, table, environment);
                count[0] = session.executor().update(rendered, "INSERT", table, timeout());
            } finally {
                session.values().identityInsertTable = before;
            }
        });
        finished(frame, Command.SELECT, count[0]);
    }

    void insert(Statement.Insert statement, Frame frame) {
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Table table = environment.table(statement.table());
        if (statement.procedure() != null) {
            insertProcedure(statement, statement.procedure(), table, frame);
            return;
        }
        Rendered rendered = DmlRenderer.insert(statement, table, environment);
        session.values().scopeIdentity = table.identityColumn() == null ? session.values().scopeIdentity : null;
        if (statement.output().isEmpty()) {
            change(frame, Command.INSERT, "INSERT", table, rendered);
        } else {
            frame.output.columns(rendered.columns());
            long count = session.query(frame, rendered, rows(rendered.columns(), frame.output));
            finished(frame, Command.INSERT, count);
        }
    }

    /** INSERT … EXEC: inserts the procedure's rows into the table. */
    private void insertProcedure(Statement.Insert statement, Statement.Execute call, Table table, Frame frame) {
        RowCollector collector = new RowCollector(frame.output.response());
        Frame inner = Frame.called(frame, new Output(collector), frame.procedure);
        interpreter.procedures().executeInto(call, frame, inner);
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        long[] count = new long[1];
        session.touching(frame, true, true, () -> {
            for (List<Expr> row : collector.literals()) {
                Query values = new Query(List.of(), new Query.Values(List.of(row)), List.of(), null, null);
                Statement.Insert one = new Statement.Insert(
                        statement.line(), statement.table(), statement.columns(), values, null, List.of());
                count[0] += session.executor()
                        .update(DmlRenderer.insert(one, table, environment), "INSERT", table, timeout());
            }
        });
        finished(frame, Command.INSERT, count[0]);
    }

    void update(Statement.Update statement, Frame frame) {
        refuseCurrentOf(statement.currentOf());
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Table table = environment.table(target(statement.table(), statement.from()));
        Rendered rendered = DmlRenderer.update(statement, table, environment, session.options().rowCount);
        change(frame, Command.UPDATE, "UPDATE", table, rendered);
    }

    void delete(Statement.Delete statement, Frame frame) {
        refuseCurrentOf(statement.currentOf());
        SessionEnvironment environment = new SessionEnvironment(session, frame);
        Table table = environment.table(target(statement.table(), statement.from()));
        Rendered rendered = DmlRenderer.delete(statement, table, environment, session.options().rowCount);
        change(frame, Command.DELETE, "DELETE", table, rendered);
    }

    private void change(Frame frame, int command, String verb, Table table, Rendered rendered) {
        long[] count = new long[1];
        session.touching(
                frame, true, true, () -> count[0] = session.executor().update(rendered, verb, table, timeout()));
        finished(frame, command, count[0]);
    }

    private static void refuseCurrentOf(String cursor) {
        if (!cursor.isEmpty()) {
            throw new SqlError(16929, 16, 1, SqlError.Effect.STATEMENT, "The cursor is READ ONLY.");
        }
    }

    /** UPDATE a SET … FROM t AS a: the target is named by its alias. */
    private static ObjectName target(ObjectName written, List<Query.From> from) {
        for (Query.From source : from) {
            ObjectName found = aliased(written.name(), source);
            if (found != null) {
                return found;
            }
        }
        return written;
    }

    private static @Nullable ObjectName aliased(String alias, Query.From from) {
        return switch (from) {
            case Query.TableFrom table -> table.alias().equalsIgnoreCase(alias) ? table.name() : null;
            case Query.Derived derived -> null;
            case Query.Join join -> {
                ObjectName left = aliased(alias, join.left());
                yield left != null ? left : aliased(alias, join.right());
            }
        };
    }

    void truncate(Statement.Truncate statement, Frame frame) {
        Table table = new SessionEnvironment(session, frame).table(statement.table());
        Statement.Delete all = new Statement.Delete(statement.line(), null, statement.table(), List.of(), null, "");
        Rendered rendered = DmlRenderer.delete(all, table, new SessionEnvironment(session, frame), 0);
        Long before = table.lastIdentity();
        session.touching(frame, true, true, () -> {
            session.executor().update(rendered, "TRUNCATE", table, timeout());
            table.reseed(null);
            session.transactions().did(() -> table.reseed(before));
        });
    }

    void insertBulk(Statement.InsertBulk statement, Frame frame) {
        Table table = new SessionEnvironment(session, frame).table(statement.table());
        for (var column : statement.columns()) {
            if (table.column(column.name()) == null) {
                throw SqlError.invalidColumn(column.name());
            }
        }
        session.expectBulk(statement);
    }
}
