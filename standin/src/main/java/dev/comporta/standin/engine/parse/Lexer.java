package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.parse.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts a batch into tokens: skips comments (nested ones too), removes quotes, counts lines. */
final class Lexer {
    private static final List<String> LONG_SYMBOLS =
            List.of("<=", ">=", "<>", "!=", "!<", "!>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::");
    private static final String SYMBOLS = "+-*/%&|^~=<>(),.;:{}!";

    private final String text;
    private final boolean quotedIdentifiers;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;

    private Lexer(String text, boolean quotedIdentifiers) {
        this.text = text;
        this.quotedIdentifiers = quotedIdentifiers;
    }

    /** @param quotedIdentifiers whether "x" is an identifier (QUOTED_IDENTIFIER ON) or a string */
    static List<Token> tokens(String text, boolean quotedIdentifiers) {
        Lexer lexer = new Lexer(text, quotedIdentifiers);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (true) {
            skipSpaceAndComments();
            int start = at;
            if (at >= text.length()) {
                tokens.add(Token.of(Kind.END, "", line, start, start));
                return;
            }
            next(text.charAt(at));
        }
    }

    private void next(char c) {
        if (c == '\'') {
            quoted('\'', Kind.STRING, at, at);
        } else if ((c == 'N' || c == 'n') && peek(1) == '\'') {
            quoted('\'', Kind.NATIONAL_STRING, at, at + 1);
        } else if (c == '[') {
            quoted(']', Kind.QUOTED, at, at);
        } else if (c == '"') {
            quoted('"', quotedIdentifiers ? Kind.QUOTED : Kind.STRING, at, at);
        } else if (c == '@') {
            word(peek(1) == '@' ? Kind.GLOBAL : Kind.VARIABLE);
        } else if (isWordStart(c)) {
            word(Kind.WORD);
        } else if (c == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            binary();
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number();
        } else if (c == '$' && (isDigit(peek(1)) || peek(1) == '.')) {
            money();
        } else {
            symbol(c);
        }
    }

    private void skipSpaceAndComments() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                line++;
                at++;
            } else if (c <= ' ' || c == '\u00a0' || c == '\ufeff') {
                at++;
            } else if (c == '-' && peek(1) == '-') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == '/' && peek(1) == '*') {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() {
        int opened = line;
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '/' && peek(1) == '*') {
                depth++;
                at += 2;
            } else if (c == '*' && peek(1) == '/') {
                depth--;
                at += 2;
                if (depth == 0) {
                    return;
                }
            } else {
                if (c == '\n') {
                    line++;
                }
                at++;
            }
        }
        throw new SqlError(113, 15, 1, SqlError.Effect.BATCH, "Missing end comment mark '*/'.").at(opened);
    }

    private void quoted(char close, Kind kind, int start, int open) {
        int opened = line;
        StringBuilder value = new StringBuilder();
        at = open + 1;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == close) {
                if (peek(1) != close) {
                    at++;
                    tokens.add(Token.of(kind, value.toString(), opened, start, at));
                    return;
                }
                at++;
            } else if (c == '\n') {
                line++;
            }
            value.append(c);
            at++;
        }
        String message = "Unclosed quotation mark after the character string '" + value + "'.";
        throw new SqlError(105, 15, 1, SqlError.Effect.BATCH, message).at(opened);
    }

    private void word(Kind kind) {
        int start = at;
        at += kind == Kind.GLOBAL ? 2 : 1;
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        tokens.add(Token.of(kind, text.substring(start, at), line, start, at));
    }

    private void binary() {
        int start = at;
        at += 2;
        while (at < text.length() && Character.digit(text.charAt(at), 16) >= 0) {
            at++;
        }
        tokens.add(Token.of(Kind.BINARY, text.substring(start + 2, at), line, start, at));
    }

    private void number() {
        int start = at;
        Kind kind = Kind.INTEGER;
        digits();
        if (peek(0) == '.') {
            kind = Kind.DECIMAL;
            at++;
            digits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            kind = Kind.FLOAT;
            at++;
            if (peek(0) == '+' || peek(0) == '-') {
                at++;
            }
            digits();
        }
        tokens.add(Token.of(kind, text.substring(start, at), line, start, at));
    }

    private void money() {
        int start = at++;
        digits();
        if (peek(0) == '.') {
            at++;
            digits();
        }
        tokens.add(Token.of(Kind.MONEY, text.substring(start + 1, at), line, start, at));
    }

    private void digits() {
        while (isDigit(peek(0))) {
            at++;
        }
    }

    private void symbol(char c) {
        int start = at;
        for (String symbol : LONG_SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                tokens.add(Token.of(Kind.SYMBOL, symbol, line, start, at));
                return;
            }
        }
        if (SYMBOLS.indexOf(c) < 0) {
            throw SqlError.syntax(String.valueOf(c), line);
        }
        at++;
        tokens.add(Token.of(Kind.SYMBOL, String.valueOf(c), line, start, at));
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_' || c == '#';
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '#' || c == '@' || c == '$';
    }
}
