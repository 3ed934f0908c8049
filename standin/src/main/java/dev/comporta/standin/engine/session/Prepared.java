package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import java.util.List;

/** What a prepared handle refers to. */
public sealed interface Prepared {
    /** By sp_prepare or sp_prepexec. Names are looked up at each execution, so that changes of tables take effect. */
    record Text(List<Statement.ParameterDef> parameters, List<Statement> body) implements Prepared {}

    /** By sp_prepare, of a text that can't be parsed: its executions report the error. */
    record Broken(SqlError why) implements Prepared {}

    /**
     * By sp_prepexecrpc: a call, whose arguments come with each execution.
     *
     * @param returnsStatus whether the first argument receives the procedure's return status
     */
    record Call(ObjectName procedure, boolean returnsStatus) implements Prepared {}

    /**
     * By sp_cursorprepare or sp_cursorprepexec.
     *
     * @param scrollOption the requested option
     */
    record Cursor(List<Statement.ParameterDef> parameters, List<Statement> body, int scrollOption) {}
}
