package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.type.TypedValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a procedure returns.
 *
 * @param outputs one per argument, in the arguments' order; null for those that are not output
 */
public record Outcome(int status, List<@Nullable TypedValue> outputs) {}
