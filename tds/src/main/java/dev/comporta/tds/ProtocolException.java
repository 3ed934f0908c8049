package dev.comporta.tds;

/**
 * The peer broke the protocol. It ends that one connection and nothing else, so it carries no stack trace: its message
 * says what was wrong with the bytes, and the catcher knows where they came from.
 */
public final class ProtocolException extends RuntimeException {
    public ProtocolException(String message) {
        super(message, null, false, false);
    }
}
