package dev.comporta.console;

/** A command that could not be carried out. The message is for the person who gave it: what is wrong, what to do. */
public final class OperatorException extends Exception {
    public OperatorException(String message) {
        super(message);
    }
}
