package dev.comporta.tds.sql.word;

/** The kinds of token, as far as statements must distinguish them. */
public enum Token {
    WORD,
    /** [name] or "name": never a keyword. With QUOTED_IDENTIFIER OFF the latter is a string, which ends at the same quote. */
    DELIMITED,
    STRING(true),
    NUMBER(true),
    /** {@code @name} or {@code @@name}. */
    VARIABLE,
    OPEN,
    CLOSE,
    COMMA(true),
    SEMICOLON,
    DOT(true),
    COLON(true),
    EQUALS(true),
    PLUS(true),
    MINUS(true),
    LEFT_BRACE,
    RIGHT_BRACE(true),
    /** Another operator. */
    OPERATOR(true);

    private final boolean isInert;

    Token() {
        this(false);
    }

    Token(boolean isInert) {
        this.isInert = isInert;
    }

    /** Whether it has no effect in the body of a statement. */
    public boolean isInert() {
        return isInert;
    }
}
