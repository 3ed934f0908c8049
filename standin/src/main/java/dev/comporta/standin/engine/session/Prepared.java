package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import java.util.List;

/** What a prepared handle stands for. */
public sealed interface Prepared {
    /** By sp_prepare or sp_prepexec. Names in it are looked up at each execution, so that it follows its tables' changes. */
    record Text(List<Statement.ParameterDef> parameters, List<Statement> body) implements Prepared {}

    /** By sp_prepare, of a text that can't be parsed: its executions tell why. */
    record Broken(SqlError why) implements Prepared {}

    /**
     * By sp_prepexecrpc: a call, whose arguments come with each execution.
     *
     * @param returnsStatus the first argument is where the procedure's return status goes
     */
    record Call(ObjectName procedure, boolean returnsStatus) implements Prepared {}

    /**
     * By sp_cursorprepare or sp_cursorprepexec.
     *
     * @param scrollOption as it was asked for
     */
    record Cursor(List<Statement.ParameterDef> parameters, List<Statement> body, int scrollOption) {}
}
