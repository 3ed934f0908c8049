package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.procedure.SystemCall;

/** Errors of system procedures that do not end the text which calls them. */
final class ProcedureErrors {
    private ProcedureErrors() {}

    /**
     * Reports an error after which the procedure still returns its values, and its caller continues.
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

    /** An error of the procedure itself: a client's call ends without a return status, a text gets one and continues. */
    static int refused(SystemCall call, Interpreter interpreter, SqlError error) {
        SqlError here = error.at(1, call.procedure());
        if (call.caller() == null) {
            throw here;
        }
        return failed(call, interpreter, here);
    }
}
