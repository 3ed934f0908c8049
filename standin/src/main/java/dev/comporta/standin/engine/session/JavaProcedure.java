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

    /** What a procedure is given, and can do. */
    interface Call {
        /** As the caller passed them. */
        List<EngineSession.Parameter> parameters();

        /** By name (with @), or by position for those passed without one; null when it is NULL or missing. */
        @Nullable
        Object value(String name, int position);

        /** What an output parameter is to return; the value must be of the parameter's Java class. */
        void output(String name, int position, @Nullable Object value);

        void print(String text);

        void result(List<Column> columns, List<@Nullable Object[]> rows);
    }
}
