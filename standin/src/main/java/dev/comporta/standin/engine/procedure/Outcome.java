package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.type.TypedValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a procedure returns.
 *
 * @param outputs one per argument, in the arguments' order; null for those that are not output
 */
public record Outcome(int status, List<@Nullable TypedValue> outputs) {
    /** What a call returns as long as its procedure sets nothing. */
    public static List<@Nullable TypedValue> outputs(List<Parameter> parameters) {
        List<@Nullable TypedValue> outputs = new ArrayList<>();
        for (Parameter parameter : parameters) {
            outputs.add(parameter.output() ? new TypedValue(parameter.type(), parameter.value()) : null);
        }
        return outputs;
    }
}
