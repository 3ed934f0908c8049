package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.procedure.SystemCall;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.PreparedStatements;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import java.util.Map;

/** sp_executesql, and the family that prepares: sp_prepare, sp_execute, sp_prepexec, sp_unprepare. */
final class DynamicSqlProcedures {
    /** sp_prepare's option that asks for the columns of the result. */
    private static final int RETURN_METADATA = 1;

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
        List<Statement.ParameterDef> parameters = declares ? parameters(call.text(1, "@params")) : List.of();
        List<Statement> body = call.session().parse(text);
        int first = Math.min(2, call.parameters().size());
        interpreter.procedures().dynamic(call, parameters, first, frame -> interpreter.run(body, frame));
        return call.session().values().error();
    }

    private static List<Statement.ParameterDef> parameters(String text) {
        return Parser.parameters(text);
    }

    private static PreparedStatements.Prepared prepared(SystemCall call, int parametersAt, int statementAt) {
        List<Statement.ParameterDef> parameters = parameters(call.text(parametersAt, "@params"));
        try {
            List<Statement> body = call.session().parse(call.requireText(statementAt, "@stmt"));
            return new PreparedStatements.Prepared(parameters, body, 0, 0);
        } catch (SqlError e) {
            throw notPrepared(call, e);
        }
    }

    private static SqlError notPrepared(SystemCall call, SqlError why) {
        call.output().error(why.at(1));
        return new SqlError(8180, 16, 1, SqlError.Effect.BATCH, "Statement(s) could not be prepared.");
    }

    private static int prepare(SystemCall call, Interpreter interpreter) {
        PreparedStatements.Prepared prepared = prepared(call, 1, 2);
        if ((call.integer(3, "@options", 0) & RETURN_METADATA) != 0) {
            try {
                describe(call, prepared);
            } catch (SqlError e) {
                throw notPrepared(call, e);
            }
        }
        int handle = call.session().prepared().add(prepared);
        call.setOutput(0, "@handle", Types.INT, handle);
        return 0;
    }

    /** The columns of the first query, without rows. What can't be known before it runs is left out. */
    private static void describe(SystemCall call, PreparedStatements.Prepared prepared) {
        for (Statement statement : prepared.body()) {
            if (statement instanceof Statement.Select select && !assigns(select.query())) {
                Frame frame = Frame.called(call.caller(), call.output(), "");
                prepared.parameters().forEach(parameter -> frame.declare(parameter.name(), parameter.type(), null));
                Rendered rendered = Renderer.query(select.query(), new SessionEnvironment(call.session(), frame));
                call.output().columns(rendered.columns());
                call.output().done(Response.Done.DONEINPROC, Command.SELECT, Response.NO_COUNT, false);
                return;
            }
        }
    }

    private static boolean assigns(Query query) {
        return query.body() instanceof Query.Select select
                && (select.into() != null
                        || !select.items().getFirst().variable().isEmpty());
    }

    private static int execute(SystemCall call, Interpreter interpreter) {
        PreparedStatements.Prepared prepared = call.session().prepared().get(call.integer(0, "@handle", 0));
        return run(call, interpreter, prepared, 1);
    }

    private static int run(
            SystemCall call, Interpreter interpreter, PreparedStatements.Prepared prepared, int firstArgument) {
        interpreter
                .procedures()
                .dynamic(call, prepared.parameters(), firstArgument, frame -> interpreter.run(prepared.body(), frame));
        return call.session().values().error();
    }

    private static int prepareAndExecute(SystemCall call, Interpreter interpreter) {
        int before = call.integer(0, "@handle", 0);
        PreparedStatements.Prepared prepared = prepared(call, 1, 2);
        if (before != 0) {
            call.session().prepared().forget(before);
        }
        int handle = call.session().prepared().add(prepared);
        call.setOutput(0, "@handle", Types.INT, handle);
        return run(call, interpreter, prepared, 3);
    }

    /** The text is a call of a procedure; the arguments that follow are its parameters, in order. */
    private static int prepareAndExecuteRpc(SystemCall call, Interpreter interpreter) {
        throw SqlError.unsupported("sp_prepexecrpc");
    }

    private static int unprepare(SystemCall call, Interpreter interpreter) {
        call.session().prepared().remove(call.integer(0, "@handle", 0));
        return 0;
    }
}
