package dev.comporta.tds.sql;

/** The kinds of token, as far as statements need to tell them apart. */
enum Token {
    WORD,
    /** [name] or "name": never a keyword. With QUOTED_IDENTIFIER OFF the latter is a string, which ends no earlier. */
    DELIMITED,
    STRING,
    NUMBER,
    /** {@code @name} or {@code @@name}. */
    VARIABLE,
    OPEN,
    CLOSE,
    COMMA,
    SEMICOLON,
    DOT,
    COLON,
    EQUALS,
    PLUS,
    MINUS,
    LEFT_BRACE,
    RIGHT_BRACE,
    /** Another operator. */
    OPERATOR
}
