package dev.comporta.console.eval.scalar;

import dev.comporta.console.value.ValueException;
import org.jspecify.annotations.Nullable;

/** Makes longer texts out of shorter ones, within a limit. */
public final class Texts {
    // Nothing that people read is longer; text that doubles in nested expressions would be.
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
