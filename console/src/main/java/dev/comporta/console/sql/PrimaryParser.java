package dev.comporta.console.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the operands of operators: literals, names, calls, CASE, CAST, parentheses. */
record PrimaryParser(TokenReader reader, ExpressionParser expressions, QueryParser queries) {
    /** Functions that are called without parentheses. */
    private static final Set<String> NILADIC =
            Set.of("CURRENT_TIMESTAMP", "SYSTEM_USER", "SESSION_USER", "CURRENT_USER", "USER");

    Expr primary() {
        Token token = reader.peek();
        return switch (token.kind()) {
            case STRING -> new Expr.Literal(reader.take().at(), token.text());
            case NUMBER -> new Expr.Literal(reader.take().at(), number(token));
            case VARIABLE -> new Expr.Variable(reader.take().at(), token.text().toLowerCase(Locale.ROOT));
            case GLOBAL -> new Expr.Global(reader.take().at(), token.text().toLowerCase(Locale.ROOT));
            case QUOTED_NAME -> name();
            case WORD -> word(token);
            case SYMBOL -> parenthesis(token);
            case END -> throw reader.expected("an expression");
        };
    }

    private static Object number(Token token) {
        String digits = token.text();
        try {
            if (digits.chars().allMatch(Character::isDigit)) {
                long whole = Long.parseLong(digits);
                if (whole == (int) whole) {
                    return (int) whole;
                }
                return whole;
            }
        } catch (NumberFormatException e) {
            // Longer than a BIGINT: a FLOAT holds it.
        }
        double real = Double.parseDouble(digits);
        if (Double.isInfinite(real)) {
            throw new SqlError(168, token.at(), "The number " + token.shown() + " is out of range.");
        }
        return real;
    }

    private Expr word(Token token) {
        String word = Words.upper(token);
        boolean call = reader.peek(1).isSymbol("(");
        switch (word) {
            case "NULL" -> {
                return new Expr.Literal(reader.take().at(), null);
            }
            case "CASE" -> {
                return caseWhen();
            }
            case "EXISTS" -> {
                reader.take();
                reader.expectSymbol("(");
                Expr.Subquery query = subquery(token.at());
                return expressions.grow(new Expr.Exists(token.at(), query.query()), query);
            }
            case "CAST", "TRY_CAST" -> {
                if (call) {
                    return cast(word.startsWith("TRY"));
                }
            }
            case "CONVERT", "TRY_CONVERT" -> {
                if (call) {
                    return convert(word.startsWith("TRY"));
                }
            }
            default -> {}
        }
        if (call) {
            return call(word);
        }
        if (!reader.peek(1).isSymbol(".")) {
            if (NILADIC.contains(word)) {
                return new Expr.Call(reader.take().at(), word, List.of(), false, false);
            }
            // Not T-SQL, but people read some columns as true and false.
            if (word.equals("TRUE") || word.equals("FALSE")) {
                return new Expr.Literal(reader.take().at(), word.equals("TRUE"));
            }
        }
        if (Words.isReserved(token)) {
            throw reader.expected("an expression");
        }
        return name();
    }

    private Expr name() {
        Position at = reader.peek().at();
        return new Expr.Name(at, nameParts("the name of a column"));
    }

    /** Parses {@code a.b.c}; an empty part between two dots means the default. */
    List<String> nameParts(String description) {
        List<String> parts = new ArrayList<>();
        parts.add(reader.expectName(description));
        while (reader.peek().isSymbol(".") && !reader.peek(1).isSymbol("*")) {
            reader.take();
            if (reader.peek().isSymbol(".")) {
                parts.add("");
            } else if (reader.peek().isName()) {
                parts.add(reader.take().text());
            } else {
                throw reader.expected("a name behind the dot");
            }
        }
        if (parts.size() > 4) {
            throw new SqlError(
                    117, reader.peek().at(), "The name " + String.join(".", parts) + " has more than 4 parts.");
        }
        return parts;
    }

    private Expr parenthesis(Token token) {
        if (!token.isSymbol("(")) {
            throw reader.expected("an expression");
        }
        reader.take();
        if (reader.at("SELECT")) {
            return subquery(token.at());
        }
        Expr inner = expressions.expression();
        reader.expectSymbol(")");
        return inner;
    }

    /** Parses what follows the opening parenthesis, and the closing one. */
    Expr.Subquery subquery(Position at) {
        reader.deeper();
        Expr.Subquery query = expressions.nest(at, queries::query);
        reader.shallower();
        reader.expectSymbol(")");
        return query;
    }

    private Expr call(String name) {
        Position at = reader.take().at();
        reader.expectSymbol("(");
        if (reader.peek().isSymbol("*")) {
            reader.take();
            reader.expectSymbol(")");
            return noWindow(new Expr.Call(at, name, List.of(), false, true));
        }
        boolean distinct = reader.accept("DISTINCT");
        List<Expr> arguments = List.of();
        if (distinct || !reader.acceptSymbol(")")) {
            arguments = expressions.list();
        }
        return noWindow(expressions.grow(new Expr.Call(at, name, arguments, distinct, false), arguments));
    }

    private Expr noWindow(Expr.Call call) {
        if (reader.at("OVER")) {
            throw new SqlError(102, reader.peek().at(), "Window functions (OVER) are not supported by the console.");
        }
        return call;
    }

    private Expr caseWhen() {
        Position at = reader.take().at();
        List<Expr> children = new ArrayList<>();
        Expr subject = null;
        if (!reader.at("WHEN")) {
            subject = expressions.expression();
            children.add(subject);
        }
        List<Expr.When> whens = new ArrayList<>();
        while (reader.accept("WHEN")) {
            Expr condition = expressions.expression();
            reader.expect("THEN");
            Expr result = expressions.expression();
            whens.add(new Expr.When(condition, result));
            children.add(condition);
            children.add(result);
        }
        if (whens.isEmpty()) {
            throw reader.expected("WHEN");
        }
        Expr otherwise = null;
        if (reader.accept("ELSE")) {
            otherwise = expressions.expression();
            children.add(otherwise);
        }
        reader.expect("END");
        return expressions.grow(new Expr.Case(at, subject, whens, otherwise), children);
    }

    private Expr cast(boolean tolerant) {
        Position at = reader.take().at();
        reader.expectSymbol("(");
        Expr operand = expressions.expression();
        reader.expect("AS");
        TypeName type = type();
        reader.expectSymbol(")");
        return expressions.grow(new Expr.Cast(at, operand, type, 0, tolerant), operand);
    }

    private Expr convert(boolean tolerant) {
        Position at = reader.take().at();
        reader.expectSymbol("(");
        TypeName type = type();
        reader.expectSymbol(",");
        Expr operand = expressions.expression();
        int style = 0;
        if (reader.acceptSymbol(",")) {
            style = wholeNumber("the number of a style");
        }
        reader.expectSymbol(")");
        return expressions.grow(new Expr.Cast(at, operand, type, style, tolerant), operand);
    }

    TypeName type() {
        Position at = reader.peek().at();
        List<String> name = nameParts("the name of a type");
        int length = 0;
        if (reader.acceptSymbol("(")) {
            if (!reader.accept("MAX")) {
                length = wholeNumber("a length");
                if (reader.acceptSymbol(",")) {
                    // The scale of a decimal is ignored: decimals are FLOAT here.
                    wholeNumber("a scale");
                }
            }
            reader.expectSymbol(")");
        }
        return new TypeName(at, name.getLast().toLowerCase(Locale.ROOT), length);
    }

    private int wholeNumber(String description) {
        @Nullable Object value = null;
        if (reader.peek().kind() == Token.Kind.NUMBER) {
            value = number(reader.peek());
        }
        if (!(value instanceof Integer whole)) {
            throw reader.expected(description);
        }
        reader.take();
        return whole;
    }
}
