package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.procedure.SystemCall;
import dev.comporta.standin.engine.session.ApiCursors;
import dev.comporta.standin.engine.session.Cursor;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Prepared;
import dev.comporta.standin.engine.session.PreparedHandles;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API cursors: sp_cursoropen, sp_cursorprepare, sp_cursorexecute, sp_cursorprepexec, sp_cursorfetch, sp_cursoroption,
 * sp_cursorclose, sp_cursorunprepare. Every cursor is static and read-only; the returned options say so, as SQL Server
 * does if it can't grant the requested ones.
 */
final class CursorProcedures {
    private static final int KEYSET = 0x1;
    private static final int DYNAMIC = 0x2;
    private static final int FORWARD_ONLY = 0x4;
    private static final int STATIC = 0x8;
    private static final int FAST_FORWARD = 0x10;
    private static final int PARAMETERIZED = 0x1000;
    private static final int AUTO_FETCH = 0x2000;
    private static final int AUTO_CLOSE = 0x4000;

    private static final int READ_ONLY = 1;

    /** The return status of a procedure that closed the cursor at its end (AUTO_CLOSE). */
    private static final int CLOSED_ITSELF = 16;

    private CursorProcedures() {}

    static void addTo(Map<String, SystemProcedures.Body> procedures) {
        procedures.put("sp_cursoropen", CursorProcedures::open);
        procedures.put("sp_cursorprepare", CursorProcedures::prepare);
        procedures.put("sp_cursorexecute", CursorProcedures::execute);
        procedures.put("sp_cursorprepexec", CursorProcedures::prepareAndExecute);
        procedures.put("sp_cursorfetch", (call, interpreter) -> CursorFetch.run(call));
        procedures.put("sp_cursoroption", (call, interpreter) -> 0);
        procedures.put("sp_cursorclose", CursorProcedures::close);
        procedures.put("sp_cursorunprepare", CursorProcedures::unprepare);
        procedures.put("sp_cursor", CursorProcedures::change);
    }

    private static int open(SystemCall call, Interpreter interpreter) {
        String text = call.requireText(1, "@stmt");
        int scroll = call.integer(2, "@scrollopt", KEYSET);
        boolean parameterized = (scroll & PARAMETERIZED) != 0;
        List<Statement.ParameterDef> parameters =
                parameterized ? Parser.parameters(call.text(5, "@paramdef")) : List.of();
        int first = parameterized ? 6 : call.parameters().size();
        return opened(
                call,
                interpreter,
                new Places(0, 2, 3, 4),
                parameters,
                call.session().parse(text),
                scroll,
                first);
    }

    /** The positions of a procedure's output parameters. */
    private record Places(int cursor, int scroll, int concurrency, int rows) {}

    private static int prepare(SystemCall call, Interpreter interpreter) {
        Prepared.Cursor prepared = prepared(call, 1, 4);
        int handle = call.session().preparedCursors().add(prepared);
        call.setOutput(0, "@prepared_handle", Types.INT, handle);
        call.setOutput(4, "@scrollopt", Types.INT, granted(prepared.scrollOption()));
        call.setOutput(5, "@ccopt", Types.INT, READ_ONLY);
        return 0;
    }

    private static Prepared.Cursor prepared(SystemCall call, int parametersAt, int scrollAt) {
        List<Statement.ParameterDef> parameters = Parser.parameters(call.text(parametersAt, "@params"));
        List<Statement> body = call.session().parse(call.requireText(parametersAt + 1, "@stmt"));
        int scroll = call.integer(scrollAt, "@scrollopt", KEYSET);
        return new Prepared.Cursor(parameters, body, scroll);
    }

    private static int execute(SystemCall call, Interpreter interpreter) {
        Prepared.Cursor prepared;
        try {
            int handle = call.integer(0, "@prepared_handle", 0);
            prepared = call.session().preparedCursors().execute(handle, PreparedHandles.UNKNOWN_TO_RPC);
        } catch (SqlError e) {
            return ProcedureErrors.refused(call, interpreter, e);
        }
        int scroll = call.integer(2, "@scrollopt", prepared.scrollOption());
        return opened(call, interpreter, new Places(1, 2, 3, 4), prepared.parameters(), prepared.body(), scroll, 5);
    }

    private static int prepareAndExecute(SystemCall call, Interpreter interpreter) {
        Prepared.Cursor prepared = prepared(call, 2, 4);
        int handle = call.session().preparedCursors().add(prepared);
        call.setOutput(0, "@prepared_handle", Types.INT, handle);
        Places places = new Places(1, 4, 5, 6);
        return opened(call, interpreter, places, prepared.parameters(), prepared.body(), prepared.scrollOption(), 7);
    }

    private static int opened(
            SystemCall call,
            Interpreter interpreter,
            Places places,
            List<Statement.ParameterDef> parameters,
            List<Statement> body,
            int scroll,
            int firstArgument) {
        Query query = query(body);
        int[] status = new int[1];
        interpreter.procedures().dynamic(call, parameters, firstArgument, frame -> {
            Cursor cursor = query != null
                    ? Cursors.open(call.session(), query, frame)
                    : collected(call, interpreter, body, frame);
            if (cursor == null) {
                call.setOutput(places.cursor, "@cursor", Types.INT, 0);
            } else {
                status[0] = announce(call, places, cursor, scroll);
            }
            return Interpreter.Signal.NEXT;
        });
        return status[0];
    }

    private static SqlError notAllowed() {
        String text = "A server cursor is not allowed on a remote stored procedure or stored procedure with more than"
                + " one SELECT statement. Use a default result set or client cursor.";
        return SqlError.statement(16937, 16, 1, text);
    }

    /** System procedures have many SELECTs each; drivers expect the refusal and fall back. */
    private static boolean callsSystemProcedure(Statement statement) {
        return statement instanceof Statement.Execute execute && SystemProcedures.find(execute.procedure()) != null;
    }

    /** Runs other statements than a SELECT, or a procedure call, at once; their one result becomes the cursor's. */
    private static @Nullable Cursor collected(
            SystemCall call, Interpreter interpreter, List<Statement> body, Frame frame) {
        RowCollector collector = new RowCollector(call.output().response());
        Frame inner = Frame.called(frame, new Output(collector), "");
        inner.copyVariables(frame);
        if (body.stream().anyMatch(CursorProcedures::callsSystemProcedure)) {
            throw notAllowed();
        }
        interpreter.run(body, inner);
        frame.copyVariables(inner);
        List<RowCollector.Result> results = collector.results();
        if (results.size() > 1) {
            throw notAllowed();
        }
        return results.isEmpty()
                ? null
                : new Cursor(results.getFirst().columns(), results.getFirst().rows());
    }

    private static @Nullable Query query(List<Statement> body) {
        boolean single = body.size() == 1 && body.getFirst() instanceof Statement.Select;
        return single && body.getFirst() instanceof Statement.Select select ? select.query() : null;
    }

    private static int announce(SystemCall call, Places places, Cursor cursor, int scroll) {
        int granted = granted(scroll);
        boolean closesItself = (scroll & AUTO_CLOSE) != 0;
        int asked = call.integer(places.rows, "@rowcount", 0);
        List<@Nullable Object[]> block = (scroll & AUTO_FETCH) != 0 ? cursor.fetch(1, asked) : List.of();
        ApiCursors.send(call.output(), cursor, block, false);
        boolean ended = closesItself && (scroll & AUTO_FETCH) != 0 && block.size() >= cursor.size();
        int handle = ended
                ? 0
                : call.session().apiCursors().add(new ApiCursors.Open(cursor, granted, READ_ONLY, closesItself));
        boolean counts = granted == STATIC;
        call.setOutput(places.cursor, "@cursor", Types.INT, handle);
        call.setOutput(places.scroll, "@scrollopt", Types.INT, granted);
        call.setOutput(places.concurrency, "@ccopt", Types.INT, READ_ONLY);
        call.setOutput(places.rows, "@rowcount", Types.INT, counts ? cursor.size() : -1);
        return ended ? CLOSED_ITSELF : 0;
    }

    /** Forward-only cursors stay forward-only; all others become static. */
    private static int granted(int scroll) {
        if ((scroll & FAST_FORWARD) != 0) {
            return FAST_FORWARD;
        }
        return (scroll & (KEYSET | DYNAMIC | FORWARD_ONLY | STATIC)) == FORWARD_ONLY ? FORWARD_ONLY : STATIC;
    }

    private static int close(SystemCall call, Interpreter interpreter) {
        int handle = call.integer(0, "@cursor", 0);
        if (handle == -1) {
            call.session().apiCursors().closeAll();
        } else {
            call.session().apiCursors().close(handle);
        }
        return 0;
    }

    private static int unprepare(SystemCall call, Interpreter interpreter) {
        int handle = call.integer(0, "@handle", 0);
        try {
            call.session().preparedCursors().remove(handle);
            return 0;
        } catch (SqlError e) {
            if (call.session().isBabelfish()) {
                String text = "can't find prepared handle: " + handle;
                throw new SqlError(33557097, 16, 1, SqlError.Effect.ROLLBACK, text);
            }
            return ProcedureErrors.refused(call, interpreter, e);
        }
    }

    private static int change(SystemCall call, Interpreter interpreter) {
        call.session().apiCursors().get(call.integer(0, "@cursor", 0));
        throw SqlError.statement(16929, 16, 1, "The cursor is READ ONLY.");
    }
}
