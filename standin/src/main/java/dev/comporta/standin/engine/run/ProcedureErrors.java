package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.procedure.SystemCall;

/** Errors of the server's own procedures that do not end the text which calls them. */
final class ProcedureErrors {
    private ProcedureErrors() {}

    /**
     * Reports an error that the procedure itself returns from: what it has to return follows, and its caller goes on.
     *
     * @return the return status, which is the error's number
     */
    static int failed(SystemCall call, Interpreter interpreter, SqlError error) {
        SqlError here = error.at(1, "");
        if (interpreter.inTry()) {
            throw here;
        }
        call.session().values().setError(here);
        call.output().error(here);
        return here.number();
    }

    /** An error of the procedure's own: a client that calls it is told no return status, a text is and goes on. */
    static int refused(SystemCall call, Interpreter interpreter, SqlError error) {
        SqlError here = error.at(1, call.procedure());
        if (call.caller() == null) {
            throw here;
        }
        return failed(call, interpreter, here);
    }
}
