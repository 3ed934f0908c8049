package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.TextForm;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a system procedure: its arguments by name or position, and the receiver of its results.
 *
 * @param caller null if the client calls by RPC
 * @param outputs as in {@link Outcome}; the procedure changes them
 */
public record SystemCall(
        String procedure,
        List<Parameter> parameters,
        Session session,
        @Nullable Frame caller,
        Output output,
        List<@Nullable TypedValue> outputs) {
    /** A procedure; {@code run} returns its return status. */
    public interface Body {
        int run(SystemCall call);
    }

    public static SystemCall of(
            String procedure, List<Parameter> parameters, Session session, @Nullable Frame caller, Output output) {
        return new SystemCall(procedure, parameters, session, caller, output, Outcome.outputs(parameters));
    }

    public Outcome outcome(int status) {
        return new Outcome(status, outputs);
    }

    /** The index of the argument with the name, or at the position if it has no name; -1 if it is missing. */
    private int index(int position, String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        boolean unnamed = position < parameters.size()
                && (parameters.get(position).name().isEmpty() || isSystemParameter(position));
        return unnamed ? position : -1;
    }

    /** Drivers give the first parameters of the cursor and prepare procedures any names, or none. */
    private boolean isSystemParameter(int position) {
        return position < 2
                && (procedure.startsWith("sp_cursor")
                        || procedure.startsWith("sp_prep")
                        || procedure.equals("sp_execute")
                        || procedure.equals("sp_executesql"));
    }

    @Nullable
    Object value(int position, String name, SqlType type) {
        int index = index(position, name);
        if (index < 0 || parameters.get(index).useDefault()) {
            return null;
        }
        Parameter parameter = parameters.get(index);
        return new Conversion(session.options().dateFormat).convert(parameter.value(), parameter.type(), type);
    }

    boolean has(int position, String name) {
        return value(position, name, Types.SQL_VARIANT) != null;
    }

    /** Empty if it is missing or NULL. */
    public String text(int position, String name) {
        int index = index(position, name);
        Object value = index < 0 ? null : parameters.get(index).value();
        return value == null ? "" : TextForm.of(value, parameters.get(index).type(), -1);
    }

    public String requireText(int position, String name) {
        if (!has(position, name)) {
            throw missing(name);
        }
        return text(position, name);
    }

    public int integer(int position, String name, int otherwise) {
        return value(position, name, Types.INT) instanceof Integer number ? number : otherwise;
    }

    SqlError missing(String name) {
        String text =
                "Procedure or function '" + procedure + "' expects parameter '" + name + "', which was not supplied.";
        return new SqlError(201, 16, 4, SqlError.Effect.STATEMENT, text);
    }

    public void setOutput(int position, String name, SqlType type, @Nullable Object value) {
        int index = index(position, name);
        if (index >= 0 && outputs.get(index) != null) {
            outputs.set(index, new TypedValue(type, value));
        }
    }

    /** Sets an output among the statement's own parameters, in dynamic SQL. */
    public void setOutputAt(int index, TypedValue value) {
        outputs.set(index, value);
    }

    /** Sends the rows; returns the return status of a procedure that does nothing else. */
    int result(List<Column> columns, List<@Nullable Object[]> rows) {
        output.columns(columns);
        rows.forEach(output::row);
        output.done(Response.Done.DONEINPROC, Command.SELECT, rows.size(), false);
        return 0;
    }
}
