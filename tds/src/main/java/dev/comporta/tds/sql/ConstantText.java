package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;
import org.jspecify.annotations.Nullable;

/**
 * Finds the text that EXEC (…) or sp_executesql runs among the arguments. If it is a constant, a scanner of its own, which is
 * created on first use, scans it as it passes. Belongs to one scanner.
 */
final class ConstantText {
    /** Nesting of constant texts: nobody writes more by hand. A deeper one is not understood. */
    private static final int DEEPEST = 3;

    private static final char[] STATEMENT = "@STMT".toCharArray();
    private static final char[] LONG_STATEMENT = "@STATEMENT".toCharArray();

    private enum State {
        NONE,
        /** After sp_executesql. */
        FIRST_ARGUMENT,
        /** After a semicolon, which a procedure's number may follow. */
        NUMBER,
        /** After a variable that may be a parameter's name. */
        NAME,
        STATEMENT_NAME,
        STATEMENT,
        /** Within an argument that is not the statement. */
        OTHER,
        NEXT_ARGUMENT,
        /** Within EXEC (: strings joined by +. */
        OPERAND,
        AFTER_OPERAND
    }

    private final TokenText text;
    private final SqlFindings findings;
    private final CurrentStatement statement;
    private final int depth;
    private @Nullable SqlScanner inner;
    private State state = State.NONE;
    private boolean isBegun;
    private boolean isScanned;

    ConstantText(TokenText text, SqlFindings findings, CurrentStatement statement, int depth) {
        this.text = text;
        this.findings = findings;
        this.statement = statement;
        this.depth = depth;
    }

    void startText() {
        state = State.NONE;
        isBegun = false;
    }

    /** The name of sp_executesql was read. */
    void awaitArguments() {
        state = State.FIRST_ARGUMENT;
        isBegun = false;
    }

    /** EXEC ( was read. */
    void awaitOperand() {
        state = State.OPERAND;
        isBegun = false;
    }

    boolean isActive() {
        return state != State.NONE;
    }

    /** A string begins: returns the lexer that scans its content, or null if the string is not a text to run. */
    @Nullable
    TextLexer begin() {
        switch (state) {
            case FIRST_ARGUMENT, STATEMENT, OPERAND -> {}
            case NONE, NUMBER, NAME, STATEMENT_NAME, OTHER, NEXT_ARGUMENT, AFTER_OPERAND -> {
                return null;
            }
        }
        if (depth == DEEPEST) {
            findings.doubt(Doubt.TOO_MANY, text.position());
            state = State.NONE;
            return null;
        }
        if (inner == null) {
            inner = new SqlScanner(depth + 1);
        }
        if (!isBegun) {
            inner.start(Scope.INNER);
            isBegun = true;
        }
        return inner.lexer();
    }

    /** Sees a token of the statement. */
    void see(Token token, Keyword keyword) {
        isScanned = false;
        state = next(token, keyword);
        if (state == State.NONE && !isScanned) {
            findings.addUnlistedProcedure(); // an unknown text may call any procedure
        }
    }

    void endText() {
        if (isActive()) {
            findings.addUnlistedProcedure();
        }
    }

    private State next(Token token, Keyword keyword) {
        return switch (state) {
            case NONE -> State.NONE;
            case FIRST_ARGUMENT ->
                switch (token) {
                    case STRING -> finish();
                    case VARIABLE -> name();
                    case SEMICOLON -> State.NUMBER;
                    case OPEN -> State.FIRST_ARGUMENT;
                    default -> State.NONE;
                };
            case NUMBER -> token == Token.NUMBER ? State.FIRST_ARGUMENT : State.NONE;
            case NAME -> token == Token.EQUALS ? State.OTHER : State.NONE;
            case STATEMENT_NAME -> token == Token.EQUALS ? State.STATEMENT : State.NONE;
            case STATEMENT -> token == Token.STRING ? finish() : State.NONE;
            case OTHER -> {
                boolean isOver = token == Token.SEMICOLON || keyword.beginsStatement();
                yield token == Token.COMMA ? State.NEXT_ARGUMENT : isOver ? State.NONE : State.OTHER;
            }
            case NEXT_ARGUMENT -> token == Token.VARIABLE ? name() : State.NONE;
            case OPERAND -> token == Token.STRING ? State.AFTER_OPERAND : State.NONE;
            case AFTER_OPERAND ->
                switch (token) {
                    case PLUS -> State.OPERAND;
                    case CLOSE -> finish();
                    default -> State.NONE;
                };
        };
    }

    private State name() {
        return text.sameAs(STATEMENT) || text.sameAs(LONG_STATEMENT) ? State.STATEMENT_NAME : State.NAME;
    }

    private State finish() {
        if (inner != null && isBegun) {
            SqlFindings found = inner.end();
            findings.addInner(found, text.position());
            if (found.has(Finding.READS_PREVIOUS_IDENTITY)) {
                statement.note(Finding.READS_IDENTITY);
            }
            if (found.has(Finding.READS_PREVIOUS_RESULT)) {
                statement.note(Finding.READS_RESULT);
            }
            isBegun = false;
            isScanned = true;
        }
        return State.NONE;
    }

    long steps() {
        return inner == null ? 0 : inner.steps();
    }
}
