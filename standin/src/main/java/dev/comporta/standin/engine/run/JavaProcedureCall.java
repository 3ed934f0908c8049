package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.JavaProcedure;
import dev.comporta.standin.engine.type.TypedValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The call that a Java procedure sees. */
record JavaProcedureCall(Frame frame, List<Parameter> parameters, List<@Nullable TypedValue> outputs)
        implements JavaProcedure.Call {
    private int index(String name, int position) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        boolean byPosition =
                position < parameters.size() && parameters.get(position).name().isEmpty();
        return byPosition ? position : -1;
    }

    @Override
    public @Nullable Object value(String name, int position) {
        int index = index(name, position);
        return index < 0 ? null : parameters.get(index).value();
    }

    @Override
    public void output(String name, int position, @Nullable Object value) {
        int index = index(name, position);
        if (index >= 0 && outputs.get(index) != null) {
            outputs.set(index, new TypedValue(parameters.get(index).type(), value));
        }
    }

    @Override
    public void print(String text) {
        frame.output.info(new Message(0, 1, 0, text, frame.procedure, 1));
    }

    @Override
    public void result(List<Column> columns, List<@Nullable Object[]> rows) {
        frame.output.columns(columns);
        rows.forEach(frame.output::row);
        frame.output.done(Response.Done.DONEINPROC, Command.SELECT, rows.size(), false);
    }
}
