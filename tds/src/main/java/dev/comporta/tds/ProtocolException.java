package dev.comporta.tds;

/**
 * The peer violated the protocol. Only that connection is closed, so the exception carries no stack trace: the message
 * says what was wrong with the bytes, and the catcher knows which connection they came from.
 */
public final class ProtocolException extends RuntimeException {
    public ProtocolException(String message) {
        super(message, null, false, false);
    }
}
