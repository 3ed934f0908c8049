package dev.comporta.app.admin;

import java.io.Serial;

/** The instance accepted the token, and refused the statement. */
public final class SqlRefused extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int number;
    private final int line;
    private final int column;
    private final transient Answer before;

    /** @param before the answer to the statements before the one that was refused */
    SqlRefused(int number, String message, int line, int column, Answer before) {
        super(message);
        this.before = before;
        this.number = number;
        this.line = line;
        this.column = column;
    }

    public int number() {
        return number;
    }

    /** Counted from 1; 0 when it is not known. */
    public int line() {
        return line;
    }

    /** Counted from 1; 0 when it is not known. */
    public int column() {
        return column;
    }

    /** The answer to the statements before the one that was refused. */
    public Answer before() {
        return before;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
