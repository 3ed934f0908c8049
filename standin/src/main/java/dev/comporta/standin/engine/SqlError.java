package dev.comporta.standin.engine;

import java.util.Locale;

/**
 * An error as SQL Server reports it. Thrown where it is found; its {@link Effect} tells the statement runner where to
 * continue.
 */
public final class SqlError extends RuntimeException {
    /** The extent of an error while XACT_ABORT is off. */
    public enum Effect {
        /** Only the statement fails; the next one runs. */
        STATEMENT,
        /** The batch or procedure ends, the transaction stays open; the caller of a procedure continues. */
        SCOPE,
        /** Everything ends, callers too, but the transaction stays open. */
        BATCH,
        /** Everything ends and the transaction is rolled back. */
        ROLLBACK
    }

    private final transient Message message;
    private final Effect effect;
    private final boolean terminated;

    public SqlError(int number, int severity, int state, Effect effect, String text) {
        this(new Message(number, state, severity, text, "", 0), effect, false);
    }

    private SqlError(Message message, Effect effect, boolean terminated) {
        super(message.text(), null, false, false);
        this.message = message;
        this.effect = effect;
        this.terminated = terminated;
    }

    /** An error that is followed by information 3621, "The statement has been terminated." */
    public static SqlError terminating(int number, int severity, int state, String text) {
        return new SqlError(new Message(number, state, severity, text, "", 0), Effect.STATEMENT, true);
    }

    public static SqlError statement(int number, int severity, int state, String text) {
        return new SqlError(number, severity, state, Effect.STATEMENT, text);
    }

    public static SqlError syntax(String near, int line) {
        return new SqlError(102, 15, 1, Effect.BATCH, "Incorrect syntax near '" + near + "'.").at(line);
    }

    /** A feature that SQL Server has and the stand-in lacks: a syntax error that says so. */
    public static SqlError unsupported(String what) {
        return new SqlError(
                102, 15, 1, Effect.BATCH, "Incorrect syntax: " + what + " is not supported by this stand-in.");
    }

    public static SqlError syntaxNearKeyword(String keyword, int line) {
        String text = "Incorrect syntax near the keyword '" + keyword + "'.";
        return new SqlError(156, 15, 1, Effect.BATCH, text).at(line);
    }

    public static SqlError invalidObject(String name) {
        return new SqlError(208, 16, 1, Effect.SCOPE, "Invalid object name '" + name + "'.");
    }

    public static SqlError invalidColumn(String name) {
        return new SqlError(207, 16, 1, Effect.SCOPE, "Invalid column name '" + name + "'.");
    }

    public static SqlError undeclared(String variable) {
        String text = "Must declare the scalar variable \"" + variable + "\".";
        return new SqlError(137, 15, 2, Effect.BATCH, text);
    }

    public static SqlError noProcedure(String name) {
        return new SqlError(2812, 16, 62, Effect.STATEMENT, "Could not find stored procedure '" + name + "'.");
    }

    public static SqlError conversionFailed(String fromType, Object value, String toType) {
        String text = "Conversion failed when converting the " + fromType + " value '" + value + "' to data type "
                + toType + ".";
        return new SqlError(245, 16, 1, Effect.ROLLBACK, text);
    }

    public static SqlError dateConversionFailed() {
        String text = "Conversion failed when converting date and/or time from character string.";
        return new SqlError(241, 16, 1, Effect.ROLLBACK, text);
    }

    public static SqlError conversionError(String fromType, String toType) {
        String text = "Error converting data type " + fromType + " to " + toType + ".";
        return new SqlError(8114, 16, 5, Effect.ROLLBACK, text);
    }

    public static SqlError overflow(String toType) {
        String text = "Arithmetic overflow error converting expression to data type " + toType + ".";
        return terminating(8115, 16, 2, text);
    }

    public static SqlError notAllowed(String fromType, String toType) {
        String text = "Explicit conversion from data type " + fromType + " to " + toType + " is not allowed.";
        return new SqlError(529, 16, 1, Effect.BATCH, text);
    }

    public static SqlError operandClash(String left, String right) {
        String text = "Operand type clash: " + left + " is incompatible with " + right;
        return new SqlError(206, 16, 2, Effect.BATCH, text);
    }

    public static SqlError divisionByZero() {
        return terminating(8134, 16, 1, "Divide by zero error encountered.");
    }

    public static SqlError unknownFunction(String name) {
        String text = "'" + name.toUpperCase(Locale.ROOT) + "' is not a recognized built-in function name.";
        return new SqlError(195, 15, 10, Effect.BATCH, text);
    }

    /** @param state by which SQL Server reports where it looked for the handle */
    public static SqlError unknownHandle(int handle, int state) {
        return statement(8179, 16, state, "Could not find prepared statement with handle " + handle + ".");
    }

    public static SqlError handleOfAnotherContext(int handle) {
        String text = "The prepared statement handle " + handle + " is not valid in this context.  Please verify that"
                + " current database, user default schema, and ANSI_NULLS and QUOTED_IDENTIFIER set options are not"
                + " changed since the handle is prepared.";
        return statement(586, 16, 1, text);
    }

    /** The same error with its line, unless it has one already. */
    public SqlError at(int atLine) {
        return at(atLine, procedure());
    }

    /** The same error with its line and procedure, unless it has them already. */
    public SqlError at(int atLine, String inProcedure) {
        Message here = new Message(number(), message.state(), severity(), text(), inProcedure, atLine);
        return line() != 0 ? this : new SqlError(here, effect, terminated);
    }

    public SqlError with(Effect otherEffect) {
        return new SqlError(message, otherEffect, terminated);
    }

    public String text() {
        return message.text();
    }

    public int number() {
        return message.number();
    }

    public int severity() {
        return message.severity();
    }

    public Effect effect() {
        return effect;
    }

    public boolean terminated() {
        return terminated;
    }

    public int line() {
        return message.line();
    }

    /** The procedure in which the error was raised; empty in a batch. */
    public String procedure() {
        return message.procedure();
    }

    public Message message() {
        return message;
    }
}
