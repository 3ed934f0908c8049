package dev.comporta.console.value;

/** A value that can't be computed. The evaluator adds the expression's position in the text. */
public final class ValueException extends RuntimeException {
    private final int number;

    public ValueException(int number, String message) {
        super(message, null, false, false);
        this.number = number;
    }

    /** SQL Server's number for this error. */
    public int number() {
        return number;
    }

    static ValueException overflow(Object type) {
        return new ValueException(8115, "Arithmetic overflow error converting expression to data type " + type + ".");
    }
}
