package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.EngineSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user procedure in Java. It runs on the session's thread, and may block. */
@FunctionalInterface
public interface JavaProcedure {
    /** @return the return status */
    int run(Call call);

    /** A call's arguments, and what the procedure can do. */
    interface Call {
        /** The parameters as the caller passed them. */
        List<EngineSession.Parameter> parameters();

        /** The value by name (with @), or by position for parameters passed without a name; null if NULL or missing. */
        @Nullable
        Object value(String name, int position);

        /** Sets an output parameter; the value must be of the parameter's Java class. */
        void output(String name, int position, @Nullable Object value);

        void print(String text);

        void result(List<Column> columns, List<@Nullable Object[]> rows);
    }
}
