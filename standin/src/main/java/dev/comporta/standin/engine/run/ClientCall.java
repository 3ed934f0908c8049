package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.procedure.Outcome;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.util.List;

/** A procedure called by the client itself: results, then RETURNSTATUS, output parameters, DONEPROC. */
record ClientCall(Session session, Interpreter interpreter) {
    void run(String procedure, List<Parameter> parameters, Output output) {
        try {
            Outcome outcome = interpreter.procedures().call(Parser.objectName(procedure), parameters, null, output);
            output.response().returnStatus(outcome.status());
            returnValues(parameters, outcome, false, output);
            returnValues(parameters, outcome, true, output);
        } catch (SqlError e) {
            session.values().setError(e);
            output.error(e.at(1, procedure));
            boolean rollsBack =
                    e.effect() == SqlError.Effect.ROLLBACK || session.options().isOn(Options.Switch.XACT_ABORT);
            if (rollsBack) {
                session.transactions().rollbackAll(output.response());
            }
        } catch (BatchAborted e) {
            // The error that ended the call has been reported.
        }
        output.done(Response.Done.DONEPROC, Command.EXECUTE, Response.NO_COUNT, output.failed());
    }

    /** Large values come after all others; both groups are in the order of the parameters ([MS-TDS] RETURNVALUE). */
    private static void returnValues(List<Parameter> parameters, Outcome outcome, boolean large, Output output) {
        for (int i = 0; i < parameters.size(); i++) {
            TypedValue value = outcome.outputs().get(i);
            if (value != null && Types.isLarge(value.type()) == large) {
                output.response().returnValue(i, parameters.get(i).name(), value.type(), value.value());
            }
        }
    }
}
