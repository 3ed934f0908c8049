package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/** The current word, and the tokens just before it. Belongs to one scanner. */
final class Trail {
    /** The current token as a keyword. */
    Keyword keyword = Keyword.NONE;

    Keyword previousKeyword = Keyword.NONE;
    Token previous = Token.SEMICOLON;
    Token beforePrevious = Token.SEMICOLON;
    /** The number of tokens so far, the current one included. */
    long tokens;

    void clear() {
        previousKeyword = Keyword.NONE;
        previous = Token.SEMICOLON;
        beforePrevious = Token.SEMICOLON;
        tokens = 0;
    }

    void begin(Token token, TokenText text) {
        keyword = token == Token.WORD ? Keyword.of(text) : Keyword.NONE;
        tokens++;
    }

    void end(Token token) {
        beforePrevious = previous;
        previous = token;
        previousKeyword = keyword;
    }
}
