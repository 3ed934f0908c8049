package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.type.TypedValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a procedure call.
 *
 * @param outputs one per argument, in the arguments' order; null for arguments that are not output
 */
public record Outcome(int status, List<@Nullable TypedValue> outputs) {
    /** The outputs of a call whose procedure sets none. */
    public static List<@Nullable TypedValue> outputs(List<Parameter> parameters) {
        List<@Nullable TypedValue> outputs = new ArrayList<>();
        for (Parameter parameter : parameters) {
            outputs.add(parameter.output() ? new TypedValue(parameter.type(), parameter.value()) : null);
        }
        return outputs;
    }
}
