package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.procedure.Outcome;
import dev.comporta.standin.engine.procedure.SystemCall;
import dev.comporta.standin.engine.session.Prepared;
import dev.comporta.standin.engine.session.PreparedHandles;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** sp_executesql, and the prepare procedures: sp_prepare, sp_execute, sp_prepexec, sp_prepexecrpc, sp_unprepare. */
final class DynamicSqlProcedures {
    /** sp_prepare's only option, and its default: describe the columns of the result. */
    private static final int RETURN_METADATA = 1;

    /** The return status of a failed statement is this minus the error's severity. */
    private static final int STATEMENT_FAILED = 10;

    /** ODBC's form of a call, {@code {? = call name(?, ?)}}, or the name alone. */
    private static final Pattern ODBC_CALL = Pattern.compile(
            "\\{\\s*(\\?\\s*=\\s*)?call\\s+([^({}]+?)\\s*(?:\\([\\s?,]*\\))?\\s*}|([^{}()?]+)",
            Pattern.CASE_INSENSITIVE);

    private DynamicSqlProcedures() {}

    static void addTo(Map<String, SystemProcedures.Body> procedures) {
        procedures.put("sp_executesql", DynamicSqlProcedures::executeSql);
        procedures.put("sp_prepare", DynamicSqlProcedures::prepare);
        procedures.put("sp_execute", DynamicSqlProcedures::execute);
        procedures.put("sp_prepexec", DynamicSqlProcedures::prepareAndExecute);
        procedures.put("sp_prepexecrpc", DynamicSqlProcedures::prepareAndExecuteRpc);
        procedures.put("sp_unprepare", DynamicSqlProcedures::unprepare);
    }

    private static int executeSql(SystemCall call, Interpreter interpreter) {
        String text = call.requireText(0, "@stmt");
        boolean declares = call.parameters().size() > 1;
        List<Statement.ParameterDef> parameters = declares ? Parser.parameters(call.text(1, "@params")) : List.of();
        List<Statement> body = call.session().parse(text);
        int first = Math.min(2, call.parameters().size());
        interpreter.procedures().dynamic(call, parameters, first, frame -> interpreter.run(body, frame));
        return call.session().values().error();
    }

    private static Prepared.Text text(SystemCall call) {
        return new Prepared.Text(
                Parser.parameters(call.text(1, "@params")), call.session().parse(call.requireText(2, "@stmt")));
    }

    /** Reports the error in the text, and error 8180. There is no handle. */
    private static int notPrepared(SystemCall call, Interpreter interpreter, SqlError why) {
        call.setOutput(0, "@handle", Types.INT, null);
        ProcedureErrors.failed(call, interpreter, why);
        return ProcedureErrors.failed(
                call, interpreter, SqlError.statement(8180, 16, 1, "Statement(s) could not be prepared."));
    }

    private static int prepare(SystemCall call, Interpreter interpreter) {
        boolean optionGiven = call.parameters().size() > 3;
        if (optionGiven && call.integer(3, "@options", 0) != RETURN_METADATA) {
            SqlError error = SqlError.statement(214, 16, 3, "Procedure expects parameter '@options' of type 'int'.");
            return ProcedureErrors.failed(call, interpreter, error.at(1, call.procedure()));
        }
        int status;
        Prepared prepared;
        try {
            Prepared.Text text = text(call);
            status = StatementDescription.of(text, call).send(call);
            prepared = text;
        } catch (SqlError e) {
            if (!isOfTheText(e)) {
                return notPrepared(call, interpreter, e);
            }
            status = StatementDescription.NOT_DESCRIBED;
            prepared = new Prepared.Broken(e);
        }
        newHandle(call, prepared);
        return status;
    }

    /** Whether it is a syntax error, which is found without looking up names. */
    private static boolean isOfTheText(SqlError error) {
        return error.severity() == 15;
    }

    private static int execute(SystemCall call, Interpreter interpreter) {
        Prepared prepared;
        try {
            int unknown = call.caller() == null ? PreparedHandles.UNKNOWN_TO_RPC : PreparedHandles.UNKNOWN_TO_TEXT;
            prepared = call.session().prepared().execute(call.integer(0, "@handle", 0), unknown);
        } catch (SqlError e) {
            return ProcedureErrors.refused(call, interpreter, e);
        }
        return run(call, interpreter, prepared, 1);
    }

    private static int prepareAndExecute(SystemCall call, Interpreter interpreter) {
        call.session().prepared().replace(call.integer(0, "@handle", 0));
        Prepared.Text prepared;
        try {
            prepared = text(call);
            StatementDescription.of(prepared, call);
        } catch (SqlError e) {
            return notPrepared(call, interpreter, e);
        }
        newHandle(call, prepared);
        return run(call, interpreter, prepared, 3);
    }

    private static int prepareAndExecuteRpc(SystemCall call, Interpreter interpreter) {
        call.session().prepared().replace(call.integer(0, "@handle", 0));
        String text = call.requireText(1, "@rpccall");
        Matcher form = ODBC_CALL.matcher(text.strip());
        if (!form.matches()) {
            return notPrepared(call, interpreter, SqlError.syntax(text, 1));
        }
        String name = form.group(2) == null ? form.group(3) : form.group(2);
        Prepared prepared = new Prepared.Call(Parser.objectName(name), form.group(1) != null);
        newHandle(call, prepared);
        return run(call, interpreter, prepared, 2);
    }

    /** The handle is returned even if an execution that follows fails, unless the failure ends everything. */
    private static void newHandle(SystemCall call, Prepared prepared) {
        int handle = call.session().prepared().add(prepared);
        call.setOutput(0, "@handle", Types.INT, handle);
    }

    private static int run(SystemCall call, Interpreter interpreter, Prepared prepared, int firstArgument) {
        return switch (prepared) {
            case Prepared.Text text -> {
                interpreter
                        .procedures()
                        .dynamic(call, text.parameters(), firstArgument, frame -> interpreter.run(text.body(), frame));
                int error = call.session().values().error();
                boolean fails = error != 0 && call.caller() == null;
                yield fails ? STATEMENT_FAILED - call.session().values().severity() : error;
            }
            case Prepared.Broken broken -> throw broken.why();
            case Prepared.Call called -> run(call, interpreter, called, firstArgument);
        };
    }

    private static int run(SystemCall call, Interpreter interpreter, Prepared.Call called, int firstArgument) {
        int first = called.returnsStatus() ? firstArgument + 1 : firstArgument;
        List<Parameter> all = call.parameters();
        List<Parameter> arguments = all.subList(Math.min(first, all.size()), all.size());
        Outcome outcome = interpreter.procedures().call(called.procedure(), arguments, call.caller(), call.output());
        if (called.returnsStatus()
                && all.size() > firstArgument
                && all.get(firstArgument).output()) {
            call.setOutputAt(firstArgument, new TypedValue(Types.INT, outcome.status()));
        }
        for (int i = 0; i < arguments.size(); i++) {
            TypedValue value = outcome.outputs().get(i);
            if (value != null) {
                call.setOutputAt(first + i, value);
            }
        }
        return outcome.status();
    }

    /** Also unprepares cursors: the Vert.x client calls sp_unprepare for its prepared cursors. */
    private static int unprepare(SystemCall call, Interpreter interpreter) {
        int handle = call.integer(0, "@handle", 0);
        try {
            if (handle > PreparedHandles.CURSORS) {
                call.session().preparedCursors().remove(handle);
            } else {
                call.session().prepared().remove(handle);
            }
            return 0;
        } catch (SqlError e) {
            return ProcedureErrors.refused(call, interpreter, e);
        }
    }
}
