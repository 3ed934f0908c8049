package dev.comporta.console.sql;

import java.util.List;

/** Walks over the tokens of one text; an error says what was expected instead of the token at hand. */
final class TokenReader {
    /** Deeper nesting could overflow the thread's stack. */
    static final int MAX_DEPTH = 64;

    private final String text;
    private final List<Token> tokens;
    private int next;
    private int depth;

    TokenReader(String text) {
        this.text = text;
        this.tokens = Lexer.tokens(text);
    }

    Token peek() {
        return tokens.get(next);
    }

    Token peek(int ahead) {
        return tokens.get(Math.min(next + ahead, tokens.size() - 1));
    }

    Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Token.Kind.END) {
            next++;
        }
        return token;
    }

    boolean at(String word) {
        return peek().is(word);
    }

    boolean at(String first, String second) {
        return peek().is(first) && peek(1).is(second);
    }

    boolean accept(String word) {
        if (!at(word)) {
            return false;
        }
        take();
        return true;
    }

    boolean acceptSymbol(String symbol) {
        if (!peek().isSymbol(symbol)) {
            return false;
        }
        take();
        return true;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw expected(word);
        }
    }

    void expectSymbol(String symbol) {
        if (!acceptSymbol(symbol)) {
            throw expected("'" + symbol + "'");
        }
    }

    Token expect(Token.Kind kind, String description) {
        if (peek().kind() != kind) {
            throw expected(description);
        }
        return take();
    }

    String expectName(String description) {
        if (!peek().isName() || Words.isReserved(peek())) {
            throw expected(description);
        }
        return take().text();
    }

    SqlError expected(String what) {
        return new SqlError(102, peek().at(), "Incorrect syntax near " + peek().shown() + ": expected " + what + ".");
    }

    /** Whether the statement can go on: there is a token, on the same line, and it is no semicolon. */
    boolean lineGoesOn() {
        Token token = peek();
        return token.kind() != Token.Kind.END && !token.beginsLine() && !token.isSymbol(";");
    }

    /**
     * Takes a bare word as people write it: everything up to space, semicolon or {@code stop}. Names of buckets contain
     * hyphens, addresses of clients colons; brackets and quotes work too.
     */
    String word(String description, String stop) {
        if (!lineGoesOn()) {
            throw expected(description);
        }
        Token first = peek();
        if (first.kind() == Token.Kind.QUOTED_NAME || first.kind() == Token.Kind.STRING) {
            return take().text();
        }
        int end = first.start();
        while (end < text.length()
                && !Character.isWhitespace(text.charAt(end))
                && text.charAt(end) != ';'
                && stop.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        if (end == first.start()) {
            throw expected(description);
        }
        while (peek().kind() != Token.Kind.END && peek().start() < end) {
            take();
        }
        return text.substring(first.start(), end);
    }

    void deeper() {
        if (++depth > MAX_DEPTH) {
            throw tooDeep(peek().at());
        }
    }

    void shallower() {
        depth--;
    }

    static SqlError tooDeep(Position at) {
        return new SqlError(191, at, "The statement is nested too deeply. Write it with fewer levels.");
    }
}
