package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.Evaluator;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Cursor;
import dev.comporta.standin.engine.session.DeclaredCursor;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.type.Conversion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** T-SQL's cursors: DECLARE, OPEN, FETCH, CLOSE, DEALLOCATE. */
final class Cursors {
    private final Session session;
    private final Evaluator evaluator;
    private final Map<String, DeclaredCursor> cursors;

    Cursors(Session session, Evaluator evaluator) {
        this.session = session;
        this.evaluator = evaluator;
        cursors = session.cursors();
    }

    /** Removes the LOCAL cursors of a batch or a procedure that ends. */
    void leave(Frame frame) {
        cursors.values().removeIf(cursor -> cursor.local && cursor.frame == frame);
    }

    void declare(Statement.DeclareCursor statement, Frame frame) {
        if (cursors.containsKey(Frame.key(statement.name()))) {
            String text = "A cursor with the name '" + statement.name() + "' already exists.";
            throw SqlError.statement(16915, 16, 1, text);
        }
        cursors.put(Frame.key(statement.name()), new DeclaredCursor(statement.query(), frame, statement.options()));
    }

    private DeclaredCursor declared(String name) {
        DeclaredCursor cursor = cursors.get(Frame.key(name));
        if (cursor == null) {
            throw SqlError.statement(16916, 16, 1, "A cursor with the name '" + name + "' does not exist.");
        }
        return cursor;
    }

    void open(Statement.OpenCursor statement, Frame frame) {
        DeclaredCursor cursor = declared(statement.name());
        if (cursor.open != null) {
            throw SqlError.statement(16905, 16, 1, "The cursor is already open.");
        }
        cursor.open = open(session, cursor.query, frame);
    }

    /** Runs a query and keeps its rows. */
    static Cursor open(Session session, Query query, Frame frame) {
        Rendered rendered = Renderer.query(query, new SessionEnvironment(session, frame));
        List<@Nullable Object[]> rows = new ArrayList<>();
        session.query(frame, rendered, rows::add);
        return new Cursor(rendered.columns(), rows);
    }

    private static Cursor requireOpen(DeclaredCursor cursor) {
        Cursor open = cursor.open;
        if (open == null) {
            throw SqlError.statement(16917, 16, 2, "Cursor is not open.");
        }
        return open;
    }

    void fetch(Statement.FetchCursor statement, Frame frame) {
        DeclaredCursor declared = declared(statement.name());
        Cursor cursor = requireOpen(declared);
        if (!declared.scrolls && !statement.direction().equals("NEXT")) {
            String text = "fetch: The fetch type " + statement.direction().toLowerCase(Locale.ROOT)
                    + " cannot be used with forward only cursors.";
            throw SqlError.statement(16911, 16, 1, text);
        }
        long offset = statement.position() == null ? 0 : evaluator.integer(statement.position(), frame);
        long target = switch (statement.direction()) {
            case "PRIOR" -> cursor.position() - 1L;
            case "FIRST" -> 1;
            case "LAST" -> Math.max(1, cursor.size());
            case "ABSOLUTE" -> offset < 0 ? cursor.size() + offset + 1 : offset;
            case "RELATIVE" -> cursor.position() + offset;
            default -> cursor.position() + 1L;
        };
        List<@Nullable Object[]> block = target < 1 ? none(cursor) : cursor.fetch(target, 1);
        session.values().fetchStatus = block.isEmpty() ? -1 : 0;
        if (statement.into().isEmpty()) {
            show(cursor, block, frame);
        } else if (!block.isEmpty()) {
            assign(statement.into(), cursor.columns(), block.getFirst(), frame);
        }
        session.values().rowCount = block.size();
    }

    private static List<@Nullable Object[]> none(Cursor cursor) {
        cursor.beforeFirst();
        return List.of();
    }

    private static void show(Cursor cursor, List<@Nullable Object[]> block, Frame frame) {
        frame.output.columns(cursor.columns());
        block.forEach(frame.output::row);
        frame.output.done(frame.doneKind, Command.SELECT, block.size(), false);
    }

    private void assign(List<String> names, List<Column> columns, @Nullable Object[] row, Frame frame) {
        if (names.size() != columns.size()) {
            String text = "Cursorfetch: The number of variables declared in the INTO list must match that of selected"
                    + " columns.";
            throw SqlError.statement(16924, 16, 1, text);
        }
        Conversion conversion = new Conversion(session.options().dateFormat);
        for (int i = 0; i < names.size(); i++) {
            var type = frame.variable(names.get(i)).type();
            frame.assign(names.get(i), conversion.convert(row[i], columns.get(i).type(), type));
        }
    }

    void close(Statement.CloseCursor statement) {
        DeclaredCursor cursor = declared(statement.name());
        requireOpen(cursor);
        cursor.open = null;
    }

    void deallocate(Statement.DeallocateCursor statement) {
        declared(statement.name());
        cursors.remove(Frame.key(statement.name()));
    }
}
