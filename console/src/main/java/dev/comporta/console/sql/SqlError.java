package dev.comporta.console.sql;

/** An error in a statement, with its position and SQL Server's number for it. */
public final class SqlError extends RuntimeException {
    private final int number;
    private final Position at;

    public SqlError(int number, Position at, String message) {
        super(message, null, false, false);
        this.number = number;
        this.at = at;
    }

    public int number() {
        return number;
    }

    public Position at() {
        return at;
    }

    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? "" : message;
    }
}
