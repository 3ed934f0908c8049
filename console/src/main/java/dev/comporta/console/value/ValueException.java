package dev.comporta.console.value;

/** A value that can't be computed. The evaluator adds the place of the expression in the text. */
public final class ValueException extends RuntimeException {
    private final int number;

    public ValueException(int number, String message) {
        super(message, null, false, false);
        this.number = number;
    }

    /** As SQL Server numbers it. */
    public int number() {
        return number;
    }

    static ValueException overflow(Object type) {
        return new ValueException(8115, "Arithmetic overflow error converting expression to data type " + type + ".");
    }
}
