package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.procedure.SystemCall;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Prepared;
import org.jspecify.annotations.Nullable;

/**
 * How sp_prepare describes a text with a single statement: the columns of its result, and the kind of statement. Several
 * statements are not described, and their names are not looked up before they run.
 *
 * @param result null for a statement without a result
 * @param command of the DONEINPROC that ends the description
 * @param counts whether the DONEINPROC has a count, which is 0
 */
record StatementDescription(int status, @Nullable Rendered result, int command, boolean counts) {
    /** The return status of sp_prepare for a text that is not described. */
    static final int NOT_DESCRIBED = 8182;

    private static final StatementDescription NONE = new StatementDescription(NOT_DESCRIBED, null, 0, false);

    /** @throws SqlError if the text can't be prepared because a name in it is unknown */
    static StatementDescription of(Prepared.Text text, SystemCall call) {
        if (text.body().size() != 1) {
            return NONE;
        }
        return switch (text.body().getFirst()) {
            case Statement.Select select
            when !assigns(select.query()) -> {
                Frame frame = Frame.called(call.caller(), call.output(), "");
                text.parameters().forEach(parameter -> frame.declare(parameter.name(), parameter.type(), null));
                Rendered rendered = Renderer.query(select.query(), new SessionEnvironment(call.session(), frame));
                yield new StatementDescription(0, rendered, Command.SELECT, true);
            }
            case Statement.Select _, Statement.Assign _ -> of(Command.SELECT, true);
            case Statement.Insert _ -> of(Command.INSERT, true);
            case Statement.Update _ -> of(Command.UPDATE, true);
            case Statement.Delete _ -> of(Command.DELETE, true);
            case Statement.SetOptions _, Statement.SetValue _ -> of(Command.SET_OPTION, false);
            case Statement.CreateTable _ -> of(Command.CREATE_TABLE, false);
            case Statement.Begin _ -> of(Command.BEGIN, false);
            case Statement.Print _ -> of(Command.PRINT, false);
            default -> NONE;
        };
    }

    private static StatementDescription of(int command, boolean counts) {
        return new StatementDescription(0, null, command, counts);
    }

    private static boolean assigns(Query query) {
        return query.body() instanceof Query.Select select
                && (select.into() != null
                        || !select.items().getFirst().variable().isEmpty());
    }

    /** @return the procedure's return status */
    int send(SystemCall call) {
        boolean silent = call.session().options().isOn(Options.Switch.NOCOUNT);
        if (result != null) {
            call.output().columns(result.columns());
        }
        if (command != 0) {
            call.output().done(Response.Done.DONEINPROC, command, counts && !silent ? 0 : Response.NO_COUNT, false);
        }
        return status;
    }
}
