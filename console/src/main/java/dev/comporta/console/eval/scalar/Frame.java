package dev.comporta.console.eval.scalar;

import org.jspecify.annotations.Nullable;

/**
 * The row that expressions are evaluated on, and the row of the query around it.
 *
 * @param values overwritten by the next row: code that keeps a row copies it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(@Nullable Object[] values, @Nullable Frame outer) {
    public static final Frame EMPTY = new Frame(new @Nullable Object[0], null);

    public @Nullable Object value(int depth, int index) {
        Frame frame = this;
        for (int i = 0; i < depth; i++) {
            Frame next = frame.outer;
            if (next == null) {
                throw new IllegalStateException("no row at depth " + depth);
            }
            frame = next;
        }
        return frame.values[index];
    }
}
