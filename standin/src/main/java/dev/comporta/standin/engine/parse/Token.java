package dev.comporta.standin.engine.parse;

import java.util.Locale;

/**
 * A word, number, string or symbol of a batch.
 *
 * @param text the value: identifiers without their quotes, strings with doubled quotes made single
 * @param upper the text in upper case for a WORD and a GLOBAL; the text itself otherwise
 */
record Token(Kind kind, String text, String upper, int line, int start, int end) {
    enum Kind {
        WORD,
        /** An identifier in brackets or double quotes: never a keyword. */
        QUOTED,
        VARIABLE,
        GLOBAL,
        INTEGER,
        DECIMAL,
        FLOAT,
        MONEY,
        BINARY,
        STRING,
        NATIONAL_STRING,
        SYMBOL,
        END
    }

    static Token of(Kind kind, String text, int line, int start, int end) {
        boolean folds = kind == Kind.WORD || kind == Kind.GLOBAL;
        return new Token(kind, text, folds ? text.toUpperCase(Locale.ROOT) : text, line, start, end);
    }

    boolean isWord(String keyword) {
        return kind == Kind.WORD && upper.equals(keyword);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isIdentifier() {
        return kind == Kind.QUOTED || kind == Kind.WORD;
    }
}
