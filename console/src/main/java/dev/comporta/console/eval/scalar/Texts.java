package dev.comporta.console.eval.scalar;

import dev.comporta.console.value.ValueException;
import org.jspecify.annotations.Nullable;

/** Joins and repeats texts, up to a maximum length. */
public final class Texts {
    // Longer than any text that people read; only nested expressions that double a text exceed it.
    private static final int MAX_LENGTH = 100_000;

    private Texts() {}

    public static @Nullable String join(@Nullable Object a, @Nullable Object b) {
        return a == null || b == null ? null : limited((String) a + (String) b);
    }

    public static String limited(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new ValueException(8152, "A text would be longer than " + MAX_LENGTH + " characters.");
        }
        return text;
    }
}
