package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/**
 * Reads the arguments of sp_getapplock: a lock that the transaction owns (the default) ends with it, one that the session
 * owns does not. Belongs to one scanner.
 */
final class LockOwnerReader {
    /** sp_getapplock @Resource, @LockMode, @LockOwner, … */
    private static final int OWNER_ARGUMENT = 2;

    private static final char[] OWNER_NAME = "@LOCKOWNER".toCharArray();
    private static final char[] BY_TRANSACTION = "TRANSACTION".toCharArray();

    private enum State {
        ARGUMENT,
        /** After a variable that may be a parameter's name. */
        VARIABLE,
        VALUE
    }

    private final TokenText text;
    private State state = State.ARGUMENT;
    private int argument;
    private boolean isOwner;
    private boolean isNamedOwner;
    private boolean sessionMayOwn;

    LockOwnerReader(TokenText text) {
        this.text = text;
    }

    void start() {
        state = State.ARGUMENT;
        argument = 0;
        isOwner = false;
        isNamedOwner = false;
        sessionMayOwn = false;
    }

    boolean sessionMayOwn() {
        return sessionMayOwn;
    }

    void accept(Token token) {
        if (token == Token.COMMA) {
            endArgument();
            argument++;
            return;
        }
        switch (state) {
            case ARGUMENT -> argument(token);
            case VARIABLE -> {
                if (token == Token.EQUALS) {
                    isOwner = isNamedOwner;
                    state = State.VALUE;
                }
            }
            case VALUE -> value(token);
        }
    }

    void end() {
        endArgument();
    }

    private void argument(Token token) {
        isOwner = argument == OWNER_ARGUMENT;
        if (token == Token.VARIABLE) {
            isNamedOwner = text.sameAs(OWNER_NAME);
            state = State.VARIABLE;
        } else {
            value(token);
        }
    }

    private void value(Token token) {
        // A literal names the owner; any other value, such as a variable, may turn out to be the session.
        if (isOwner && !((token == Token.STRING || token == Token.WORD) && text.sameAs(BY_TRANSACTION))) {
            sessionMayOwn = true;
        }
        state = State.VALUE;
        isOwner = false;
    }

    private void endArgument() {
        // A variable without = after it was a value, not a parameter's name.
        if (state == State.VARIABLE && isOwner) {
            sessionMayOwn = true;
        }
        state = State.ARGUMENT;
        isOwner = false;
    }
}
