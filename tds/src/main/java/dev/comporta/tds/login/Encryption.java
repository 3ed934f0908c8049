package dev.comporta.tds.login;

import dev.comporta.tds.ProtocolException;

/**
 * The ENCRYPTION option of PRELOGIN, and the {@link Outcome} that a client's and a server's option lead to. On strict
 * connections (TDS 8.0) TLS begins before PRELOGIN, and none of this applies.
 */
public enum Encryption {
    OFF(0),
    ON(1),
    NOT_SUPPORTED(2),
    REQUIRED(3);

    /** The result of the negotiation. */
    public enum Outcome {
        /** No TLS at all: the password is only scrambled. */
        PLAIN,
        /** LOGIN7 alone is encrypted; everything after it, in both directions, is plain text. */
        LOGIN_ONLY,
        /** Everything after PRELOGIN is encrypted. */
        FULL,
        /** The two can't agree: the connection must be closed. */
        REFUSED
    }

    /** A server's policy on encryption. */
    public enum Policy {
        /** The server has no certificate. */
        NOT_SUPPORTED,
        /** The client decides. */
        OPTIONAL,
        /** Everything is encrypted, whatever the client asks for. */
        REQUIRED
    }

    /** A server's side of the negotiation: what it replies, and what follows. */
    public record Answer(Encryption reply, Outcome outcome) {}

    /** ENCRYPT_CLIENT_CERT (0x80) and ENCRYPT_EXT (0x20) qualify a value and don't change the negotiation. */
    private static final int FLAGS = 0xA0;

    private final int code;

    Encryption(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public static Encryption of(int wireByte) {
        return switch (wireByte & 0xFF & ~FLAGS) {
            case 0 -> OFF;
            case 1 -> ON;
            case 2 -> NOT_SUPPORTED;
            case 3 -> REQUIRED;
            default -> throw new ProtocolException("PRELOGIN asks for unknown encryption " + (wireByte & 0xFF));
        };
    }

    /**
     * The answer of a server with this policy to the PRELOGIN of {@code client}. If only the login is encrypted, jTDS may
     * lose the response to it (see {@link JtdsPrelogin}); so jTDS is answered with full encryption, which it supports.
     */
    public static Answer answer(Prelogin client, Policy policy) {
        Answer answer = answer(client.encryption(), policy);
        return answer.outcome == Outcome.LOGIN_ONLY && JtdsPrelogin.isOf(client)
                ? new Answer(REQUIRED, Outcome.FULL)
                : answer;
    }

    /** The answer by the specification, for every kind of client. */
    static Answer answer(Encryption client, Policy policy) {
        return switch (policy) {
            case NOT_SUPPORTED ->
                new Answer(NOT_SUPPORTED, client == OFF || client == NOT_SUPPORTED ? Outcome.PLAIN : Outcome.REFUSED);
            case OPTIONAL ->
                switch (client) {
                    case OFF -> new Answer(OFF, Outcome.LOGIN_ONLY);
                    case ON, REQUIRED -> new Answer(ON, Outcome.FULL);
                    case NOT_SUPPORTED -> new Answer(NOT_SUPPORTED, Outcome.PLAIN);
                };
            case REQUIRED ->
                switch (client) {
                    case OFF -> new Answer(REQUIRED, Outcome.FULL);
                    case ON, REQUIRED -> new Answer(ON, Outcome.FULL);
                    case NOT_SUPPORTED -> new Answer(REQUIRED, Outcome.REFUSED);
                };
        };
    }

    /** The outcome for a client that sent {@code asked} and received {@code answered}. */
    public static Outcome outcome(Encryption asked, Encryption answered) {
        return switch (asked) {
            case OFF ->
                switch (answered) {
                    case OFF -> Outcome.LOGIN_ONLY;
                    case ON, REQUIRED -> Outcome.FULL;
                    case NOT_SUPPORTED -> Outcome.PLAIN;
                };
            case ON, REQUIRED ->
                switch (answered) {
                    case ON, REQUIRED -> Outcome.FULL;
                    // The client asked for encryption; a server that would send the data in plain text is refused.
                    case OFF, NOT_SUPPORTED -> Outcome.REFUSED;
                };
            case NOT_SUPPORTED ->
                switch (answered) {
                    case NOT_SUPPORTED -> Outcome.PLAIN;
                    case OFF, ON, REQUIRED -> Outcome.REFUSED;
                };
        };
    }
}
