package dev.comporta.console.sql;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses conditions and arithmetic. AND and OR become flat lists; every other node's height is kept within
 * {@link #MAX_HEIGHT}, so that walking a tree by recursion needs a bounded stack.
 */
final class ExpressionParser {
    /** Allows 200 terms in one sum. Evaluating a level takes two or three stack frames. */
    private static final int MAX_HEIGHT = 200;

    private final TokenReader reader;
    private final PrimaryParser primaries;
    private final IdentityHashMap<Expr, Integer> heights = new IdentityHashMap<>();
    private int tallest;

    ExpressionParser(TokenReader reader, QueryParser queries) {
        this.reader = reader;
        this.primaries = new PrimaryParser(reader, this, queries);
    }

    PrimaryParser primaries() {
        return primaries;
    }

    Expr expression() {
        reader.deeper();
        Position at = reader.peek().at();
        List<Expr> operands = new ArrayList<>(List.of(conjunction()));
        while (reader.accept("OR")) {
            operands.add(conjunction());
        }
        reader.shallower();
        return operands.size() == 1 ? operands.getFirst() : grow(new Expr.Or(at, operands), operands);
    }

    private Expr conjunction() {
        Position at = reader.peek().at();
        List<Expr> operands = new ArrayList<>(List.of(negation()));
        while (reader.accept("AND")) {
            operands.add(negation());
        }
        return operands.size() == 1 ? operands.getFirst() : grow(new Expr.And(at, operands), operands);
    }

    private Expr negation() {
        Position at = reader.peek().at();
        if (!reader.accept("NOT")) {
            return predicate();
        }
        reader.deeper();
        Expr operand = negation();
        reader.shallower();
        return grow(new Expr.Not(at, operand), operand);
    }

    private Expr predicate() {
        Expr left = sum();
        Token token = reader.peek();
        Expr.@Nullable Relation relation = relation(token);
        if (relation != null) {
            reader.take();
            Expr right = sum();
            return grow(new Expr.Comparison(token.at(), relation, left, right), left, right);
        }
        if (reader.accept("IS")) {
            boolean negated = reader.accept("NOT");
            reader.expect("NULL");
            return grow(new Expr.IsNull(token.at(), left, negated), left);
        }
        boolean negated = reader.at("NOT");
        Token keyword = negated ? reader.peek(1) : token;
        if (!keyword.is("IN") && !keyword.is("BETWEEN") && !keyword.is("LIKE")) {
            if (negated) {
                reader.take();
                throw reader.expected("IN, BETWEEN or LIKE");
            }
            return left;
        }
        if (negated) {
            reader.take();
        }
        reader.take();
        if (keyword.is("IN")) {
            return in(token.at(), left, negated);
        }
        return keyword.is("LIKE") ? like(token.at(), left, negated) : between(token.at(), left, negated);
    }

    private static Expr.@Nullable Relation relation(Token token) {
        if (token.kind() != Token.Kind.SYMBOL) {
            return null;
        }
        return switch (token.text()) {
            case "=" -> Expr.Relation.EQUAL;
            case "<>", "!=" -> Expr.Relation.NOT_EQUAL;
            case "<" -> Expr.Relation.LESS;
            case "<=", "!>" -> Expr.Relation.LESS_OR_EQUAL;
            case ">" -> Expr.Relation.GREATER;
            case ">=", "!<" -> Expr.Relation.GREATER_OR_EQUAL;
            default -> null;
        };
    }

    private Expr in(Position at, Expr operand, boolean negated) {
        reader.expectSymbol("(");
        if (reader.at("SELECT")) {
            Expr.Subquery query = primaries.subquery(at);
            return grow(new Expr.InQuery(at, operand, query.query(), negated), operand, query);
        }
        List<Expr> list = list();
        List<Expr> children = new ArrayList<>(list);
        children.add(operand);
        return grow(new Expr.In(at, operand, list, negated), children);
    }

    /** Parses one or more expressions and the closing parenthesis. */
    List<Expr> list() {
        List<Expr> list = new ArrayList<>();
        do {
            list.add(expression());
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        return list;
    }

    private Expr between(Position at, Expr operand, boolean negated) {
        Expr low = sum();
        reader.expect("AND");
        Expr high = sum();
        return grow(new Expr.Between(at, operand, low, high, negated), operand, low, high);
    }

    private Expr like(Position at, Expr operand, boolean negated) {
        Expr pattern = sum();
        Expr escape = reader.accept("ESCAPE") ? sum() : null;
        return grow(new Expr.Like(at, operand, pattern, escape, negated), operand, pattern);
    }

    private Expr sum() {
        Expr left = product();
        while (reader.peek().isSymbol("+") || reader.peek().isSymbol("-")) {
            Token operator = reader.take();
            Expr right = product();
            left = grow(new Expr.Calculation(operator.at(), operator.text(), left, right), left, right);
        }
        return left;
    }

    private Expr product() {
        Expr left = unary();
        while (reader.peek().isSymbol("*")
                || reader.peek().isSymbol("/")
                || reader.peek().isSymbol("%")) {
            Token operator = reader.take();
            Expr right = unary();
            left = grow(new Expr.Calculation(operator.at(), operator.text(), left, right), left, right);
        }
        return left;
    }

    private Expr unary() {
        Token sign = reader.peek();
        if (!sign.isSymbol("-") && !sign.isSymbol("+")) {
            Expr primary = primaries.primary();
            while (reader.accept("COLLATE")) {
                // Ignored: there is one collation only.
                reader.expectName("the name of a collation");
            }
            return primary;
        }
        reader.take();
        reader.deeper();
        Expr operand = unary();
        reader.shallower();
        return sign.isSymbol("+") ? operand : grow(new Expr.Negative(sign.at(), operand), operand);
    }

    <T extends Expr> T grow(T expr, Expr... children) {
        return grow(expr, List.of(children));
    }

    <T extends Expr> T grow(T expr, List<Expr> children) {
        int height = 0;
        for (Expr child : children) {
            height = Math.max(height, heights.getOrDefault(child, 1));
        }
        return setHeight(expr, height + 1);
    }

    private <T extends Expr> T setHeight(T expr, int height) {
        if (height > MAX_HEIGHT) {
            throw TokenReader.tooDeep(expr.at());
        }
        heights.put(expr, height);
        tallest = Math.max(tallest, height);
        return expr;
    }

    /** Parses a subquery, from SELECT to its closing parenthesis. Its height is that of the highest expression in it. */
    Expr.Subquery nest(Position at, Supplier<Query> parse) {
        int outside = tallest;
        tallest = 0;
        Query query = parse.get();
        int inside = tallest;
        tallest = Math.max(outside, inside);
        return setHeight(new Expr.Subquery(at, query), inside + 1);
    }
}
