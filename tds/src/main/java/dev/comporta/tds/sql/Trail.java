package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/** The word at hand, and the tokens just before it. Belongs to one scanner. */
final class Trail {
    /** What the token at hand is as a keyword. */
    Keyword keyword = Keyword.NONE;

    Keyword previousKeyword = Keyword.NONE;
    Token previous = Token.SEMICOLON;
    Token beforePrevious = Token.SEMICOLON;
    /** Tokens so far, the one at hand included. */
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
