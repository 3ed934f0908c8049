package dev.comporta.console.sql;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into tokens. A character that no statement uses becomes a symbol, which the parser rejects. */
final class Lexer {
    private static final List<String> LONG_SYMBOLS = List.of("<>", "<=", ">=", "!=", "!<", "!>");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineStart;
    private boolean beginsLine = true;

    private Lexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        skipGap();
        while (at < text.length()) {
            token();
            beginsLine = false;
            skipGap();
        }
        tokens.add(new Token(Token.Kind.END, "", here(), at, at, true));
    }

    private void token() {
        char c = text.charAt(at);
        char next = at + 1 < text.length() ? text.charAt(at + 1) : '\0';
        if (c == '\'') {
            quoted(Token.Kind.STRING, at, '\'');
        } else if ((c == 'N' || c == 'n') && next == '\'') {
            quoted(Token.Kind.STRING, at + 1, '\'');
        } else if (c == '[') {
            quoted(Token.Kind.QUOTED_NAME, at, ']');
        } else if (c == '"') {
            quoted(Token.Kind.QUOTED_NAME, at, '"');
        } else if (isDigit(c) || (c == '.' && isDigit(next))) {
            number();
        } else if (c == '@') {
            word(next == '@' ? Token.Kind.GLOBAL : Token.Kind.VARIABLE);
        } else if (Character.isLetter(c) || c == '_' || c == '#') {
            word(Token.Kind.WORD);
        } else {
            int length = LONG_SYMBOLS.contains("" + c + next) ? 2 : 1;
            add(Token.Kind.SYMBOL, text.substring(at, at + length), at + length);
        }
    }

    private void quoted(Token.Kind kind, int open, char close) {
        Position start = here();
        int from = at;
        boolean first = beginsLine;
        StringBuilder content = new StringBuilder();
        int i = open + 1;
        while (true) {
            if (i >= text.length()) {
                throw new SqlError(
                        105,
                        start,
                        kind == Token.Kind.STRING
                                ? "Unclosed quotation mark: expected ' at the end of the string."
                                : "Unclosed name: expected " + close + " at its end.");
            }
            char c = text.charAt(i);
            if (c == close) {
                // A doubled quote is one quote in the text.
                if (i + 1 < text.length() && text.charAt(i + 1) == close) {
                    i++;
                } else {
                    break;
                }
            }
            content.append(c);
            i++;
        }
        tokens.add(new Token(kind, content.toString(), start, from, i + 1, first));
        advanceTo(i + 1);
    }

    private void number() {
        int i = digits(at);
        if (i < text.length() && text.charAt(i) == '.') {
            i = digits(i + 1);
        }
        if (i < text.length() && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
            boolean signed = i + 1 < text.length() && (text.charAt(i + 1) == '+' || text.charAt(i + 1) == '-');
            int exponent = digits(i + (signed ? 2 : 1));
            if (exponent > i + (signed ? 2 : 1)) {
                i = exponent;
            }
        }
        add(Token.Kind.NUMBER, text.substring(at, i), i);
    }

    private int digits(int from) {
        int i = from;
        while (i < text.length() && isDigit(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private void word(Token.Kind kind) {
        int i = at + 1;
        while (i < text.length() && isWordPart(text.charAt(i))) {
            i++;
        }
        add(kind, text.substring(at, i), i);
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '#' || c == '@';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void add(Token.Kind kind, String content, int end) {
        tokens.add(new Token(kind, content, here(), at, end, beginsLine));
        advanceTo(end);
    }

    private void skipGap() {
        while (at < text.length()) {
            if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                advanceTo(end < 0 ? text.length() : end);
            } else if (text.startsWith("/*", at)) {
                comment();
            } else if (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '\uFEFF') {
                advanceTo(at + 1);
            } else {
                return;
            }
        }
    }

    // Comments nest in T-SQL.
    private void comment() {
        Position start = here();
        int depth = 0;
        int i = at;
        do {
            if (i >= text.length()) {
                throw new SqlError(113, start, "Missing end comment mark '*/'.");
            }
            if (text.startsWith("/*", i)) {
                depth++;
                i += 2;
            } else if (text.startsWith("*/", i)) {
                depth--;
                i += 2;
            } else {
                i++;
            }
        } while (depth > 0);
        advanceTo(i);
    }

    private void advanceTo(int end) {
        for (int i = at; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
                beginsLine = true;
            }
        }
        at = end;
    }

    private Position here() {
        return new Position(line, at - lineStart + 1);
    }
}
