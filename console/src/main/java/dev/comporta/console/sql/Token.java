package dev.comporta.console.sql;

/**
 * @param text without quotes and brackets
 * @param start index of the first character in the text
 * @param end index after the last character
 * @param beginsLine whether only space and comments precede it on its line
 */
record Token(Kind kind, String text, Position at, int start, int end, boolean beginsLine) {
    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        VARIABLE,
        GLOBAL,
        SYMBOL,
        END
    }

    boolean is(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }

    /** As an error message quotes it. */
    String shown() {
        return kind == Kind.END
                ? "the end of the text"
                : "'" + (text.length() <= 40 ? text : text.substring(0, 40)) + "'";
    }
}
