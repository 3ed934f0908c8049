package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.query.Renderer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of a prepared text before it runs: the columns of its only result, or which kind of change it makes. A
 * text of several statements is not looked up before it runs, as far as a name in it is missing: one statement may make what
 * the next one needs.
 *
 * @param command of the DONEINPROC that ends the description; 0 for none
 */
record StatementDescription(int status, @Nullable Rendered result, int command) {
    /** The return status of a text whose results can't be described. */
    private static final int NOT_DESCRIBED = 8182;

    private static final StatementDescription NOTHING = new StatementDescription(0, null, 0);
    private static final StatementDescription TOO_MUCH = new StatementDescription(NOT_DESCRIBED, null, 0);

    /** @throws SqlError when the text can't be prepared */
    static StatementDescription of(Prepared.Text text, SystemCall call) {
        List<Query> queries = text.body().stream()
                .filter(statement -> statement instanceof Statement.Select select && !assigns(select.query()))
                .map(statement -> ((Statement.Select) statement).query())
                .toList();
        if (queries.size() > 1) {
            return TOO_MUCH;
        }
        if (queries.isEmpty()) {
            int command = text.body().size() == 1 ? command(text.body().getFirst()) : 0;
            return command == 0 ? NOTHING : new StatementDescription(0, null, command);
        }
        try {
            Frame frame = Frame.called(call.caller(), call.output(), "");
            text.parameters().forEach(parameter -> frame.declare(parameter.name(), parameter.type(), null));
            Rendered rendered = Renderer.query(queries.getFirst(), new SessionEnvironment(call.session(), frame));
            return new StatementDescription(0, rendered, Command.SELECT);
        } catch (SqlError e) {
            if (text.body().size() == 1) {
                throw e;
            }
            return TOO_MUCH;
        }
    }

    private static boolean assigns(Query query) {
        return query.body() instanceof Query.Select select
                && (select.into() != null
                        || !select.items().getFirst().variable().isEmpty());
    }

    private static int command(Statement statement) {
        return switch (statement) {
            case Statement.Insert _ -> Command.INSERT;
            case Statement.Update _ -> Command.UPDATE;
            case Statement.Delete _ -> Command.DELETE;
            default -> 0;
        };
    }

    /** @return the procedure's return status */
    int send(SystemCall call) {
        boolean silent = call.session().options().isOn(Options.Switch.NOCOUNT);
        if (result != null) {
            call.output().columns(result.columns());
        }
        if (command == Command.SELECT || (command != 0 && !silent)) {
            call.output().done(Response.Done.DONEINPROC, command, silent ? Response.NO_COUNT : 0, false);
        }
        return status;
    }
}
