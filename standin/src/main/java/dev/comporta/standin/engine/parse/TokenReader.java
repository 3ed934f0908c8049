package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.parse.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The parser's position in a batch, and tests of the tokens ahead. */
final class TokenReader {
    private final String text;
    private final List<Token> tokens;
    private final ServerHabits habits;
    private int at;

    TokenReader(String text, boolean quotedIdentifiers) {
        this(text, quotedIdentifiers, ServerHabits.SQL_SERVER);
    }

    TokenReader(String text, boolean quotedIdentifiers, ServerHabits habits) {
        this.habits = habits;
        this.text = text;
        this.tokens = Lexer.tokens(text, quotedIdentifiers);
    }

    ServerHabits habits() {
        return habits;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    Token next() {
        Token token = tokens.get(at);
        if (at < tokens.size() - 1) {
            at++;
        }
        return token;
    }

    boolean atEnd() {
        return peek().kind() == Kind.END;
    }

    int line() {
        return peek().line();
    }

    int position() {
        return at;
    }

    void back(int position) {
        at = position;
    }

    /** The source from a token's beginning to the end of the last token read. */
    String textSince(Token first) {
        return text.substring(
                first.start(), at == 0 ? first.end() : tokens.get(at - 1).end());
    }

    boolean isWord(String keyword) {
        return peek().isWord(keyword);
    }

    boolean isSymbol(String symbol) {
        return peek().isSymbol(symbol);
    }

    boolean skipWord(String keyword) {
        if (!isWord(keyword)) {
            return false;
        }
        next();
        return true;
    }

    boolean skipSymbol(String symbol) {
        if (!isSymbol(symbol)) {
            return false;
        }
        next();
        return true;
    }

    /** Skips a sequence of words if all of them are there. */
    boolean skipWords(String... keywords) {
        for (int i = 0; i < keywords.length; i++) {
            if (!peek(i).isWord(keywords[i])) {
                return false;
            }
        }
        at += keywords.length;
        return true;
    }

    void expectWord(String keyword) {
        if (!skipWord(keyword)) {
            throw unexpected();
        }
    }

    void expectSymbol(String symbol) {
        if (!skipSymbol(symbol)) {
            throw unexpected();
        }
    }

    String expectVariable() {
        if (peek().kind() != Kind.VARIABLE) {
            throw unexpected();
        }
        return next().text();
    }

    boolean isIdentifier() {
        return peek().isIdentifier() && !Keywords.isReserved(peek());
    }

    String expectIdentifier() {
        if (!isIdentifier()) {
            throw unexpected();
        }
        return next().text();
    }

    /** An identifier where T-SQL also takes a keyword or a string, such as an alias after AS. */
    String expectAlias() {
        Token token = peek();
        if (token.kind() == Kind.STRING || token.kind() == Kind.NATIONAL_STRING) {
            return next().text();
        }
        return expectIdentifier();
    }

    /** name, schema.name, database.schema.name, database..name. */
    ObjectName expectObjectName() {
        List<String> parts = new ArrayList<>();
        parts.add(expectIdentifier());
        while (skipSymbol(".")) {
            parts.add(isSymbol(".") ? "" : expectIdentifier());
        }
        return switch (parts.size()) {
            case 1 -> new ObjectName("", "", parts.get(0));
            case 2 -> new ObjectName("", parts.get(0), parts.get(1));
            case 3 -> new ObjectName(parts.get(0), parts.get(1), parts.get(2));
            default -> throw SqlError.unsupported("a name with a server");
        };
    }

    List<String> identifierList() {
        List<String> names = new ArrayList<>();
        expectSymbol("(");
        do {
            names.add(expectIdentifier());
            if (!skipWord("ASC")) {
                skipWord("DESC");
            }
        } while (skipSymbol(","));
        expectSymbol(")");
        return names;
    }

    /** One or more items, separated by commas. */
    <T> List<T> list(Supplier<T> item) {
        List<T> items = new ArrayList<>();
        do {
            items.add(item.get());
        } while (skipSymbol(","));
        return items;
    }

    <T> T inParentheses(Supplier<T> inner) {
        expectSymbol("(");
        T read = inner.get();
        expectSymbol(")");
        return read;
    }

    /** WITH (…): options that have no effect here. */
    void skipWithOptions() {
        if (isWord("WITH") && peek(1).isSymbol("(")) {
            next();
            skipParentheses();
        }
    }

    /** Skips a balanced pair of parentheses that begins here. */
    void skipParentheses() {
        expectSymbol("(");
        for (int depth = 1; depth > 0; ) {
            if (atEnd()) {
                throw unexpected();
            }
            Token token = next();
            if (token.isSymbol("(")) {
                depth++;
            } else if (token.isSymbol(")")) {
                depth--;
            }
        }
    }

    SqlError unexpected() {
        Token token = peek();
        if (token.kind() == Kind.END) {
            // SQL Server names the last token if the text ends too early.
            Token last = at > 0 ? tokens.get(at - 1) : token;
            return SqlError.syntax(last.text(), last.line());
        }
        if (Keywords.isReserved(token)) {
            return SqlError.syntaxNearKeyword(token.text(), token.line());
        }
        return SqlError.syntax(token.text(), token.line());
    }
}
