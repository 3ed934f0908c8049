package dev.comporta.console;

/** A command that could not be carried out. The message tells the user what is wrong and what to do. */
public final class OperatorException extends Exception {
    public OperatorException(String message) {
        super(message);
    }
}
