package dev.comporta.console.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses SELECT. */
final class QueryParser {
    private static final int MAX_SOURCES = 16;

    private final TokenReader reader;
    private final ExpressionParser expressions;
    private final PrimaryParser primaries;

    QueryParser(TokenReader reader) {
        this.reader = reader;
        this.expressions = new ExpressionParser(reader, this);
        this.primaries = expressions.primaries();
    }

    ExpressionParser expressions() {
        return expressions;
    }

    PrimaryParser primaries() {
        return primaries;
    }

    Query query() {
        Query.Select first = select();
        List<Query.Union> unions = new ArrayList<>();
        while (reader.accept("UNION")) {
            boolean all = reader.accept("ALL");
            unions.add(new Query.Union(all, select()));
        }
        if (reader.at("EXCEPT") || reader.at("INTERSECT")) {
            throw new SqlError(
                    102,
                    reader.peek().at(),
                    "The console does not support " + reader.peek().shown() + ".");
        }
        List<Query.Order> order = List.of();
        if (reader.accept("ORDER")) {
            reader.expect("BY");
            order = orders();
        }
        return new Query(first, unions, order);
    }

    private Query.Select select() {
        Position at = reader.peek().at();
        reader.expect("SELECT");
        boolean distinct = reader.accept("DISTINCT");
        if (!distinct) {
            reader.accept("ALL");
        }
        Expr top = reader.accept("TOP") ? top() : null;
        List<Query.Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (reader.acceptSymbol(","));
        if (reader.at("INTO")) {
            throw Parser.readOnly(reader.peek().at(), "SELECT INTO");
        }
        Query.Source from = reader.accept("FROM") ? sources() : null;
        Expr where = reader.accept("WHERE") ? expressions.expression() : null;
        List<Expr> groupBy = new ArrayList<>();
        if (reader.accept("GROUP")) {
            reader.expect("BY");
            do {
                groupBy.add(expressions.expression());
            } while (reader.acceptSymbol(","));
        }
        Expr having = reader.accept("HAVING") ? expressions.expression() : null;
        return new Query.Select(at, distinct, top, items, from, where, groupBy, having);
    }

    private Expr top() {
        Expr count;
        if (reader.acceptSymbol("(")) {
            count = expressions.expression();
            reader.expectSymbol(")");
        } else if (reader.peek().kind() == Token.Kind.NUMBER || reader.peek().kind() == Token.Kind.VARIABLE) {
            count = primaries.primary();
        } else {
            throw reader.expected("a number behind TOP");
        }
        if (reader.at("PERCENT") || reader.at("WITH", "TIES")) {
            throw new SqlError(102, reader.peek().at(), "The console does not support TOP with PERCENT or WITH TIES.");
        }
        return count;
    }

    private Query.Item item() {
        Token token = reader.peek();
        if (reader.acceptSymbol("*")) {
            return new Query.Item.All(token.at(), List.of());
        }
        if (token.isName() && reader.peek(1).isSymbol("=")) {
            String alias = reader.expectName("a name");
            reader.take();
            return new Query.Item.Value(expressions.expression(), alias);
        }
        if (token.isName() && isQualifiedStar()) {
            List<String> qualifier = primaries.nameParts("the name of a view");
            reader.expectSymbol(".");
            reader.expectSymbol("*");
            return new Query.Item.All(token.at(), qualifier);
        }
        Expr expr = expressions.expression();
        return new Query.Item.Value(expr, alias(true));
    }

    private boolean isQualifiedStar() {
        int ahead = 0;
        while (reader.peek(ahead).isName() && reader.peek(ahead + 1).isSymbol(".")) {
            ahead += 2;
        }
        return ahead > 0 && reader.peek(ahead).isSymbol("*");
    }

    private @Nullable String alias(boolean strings) {
        boolean as = reader.accept("AS");
        Token token = reader.peek();
        if (strings && token.kind() == Token.Kind.STRING) {
            return reader.take().text();
        }
        if (as) {
            return reader.expectName("a name behind AS");
        }
        // A command on the next line is not an alias, though its name is not reserved.
        boolean nextStatement = token.beginsLine()
                && token.kind() == Token.Kind.WORD
                && (Words.COMMANDS.contains(Words.upper(token))
                        || Words.upper(token).startsWith("SP_"));
        if (!token.isName() || Words.isReserved(token) || nextStatement) {
            return null;
        }
        return reader.take().text();
    }

    private Query.Source sources() {
        Query.Source source = source();
        int count = 1;
        while (true) {
            Position at = reader.peek().at();
            boolean comma = reader.acceptSymbol(",");
            if (!comma && !atJoin()) {
                return source;
            }
            if (++count > MAX_SOURCES) {
                throw new SqlError(106, at, "Too many views in one SELECT: at most " + MAX_SOURCES + ".");
            }
            source = comma ? new Query.Source.Join(at, false, source, source(), null) : join(at, source);
        }
    }

    private boolean atJoin() {
        if (reader.at("RIGHT") || reader.at("FULL")) {
            throw new SqlError(102, reader.peek().at(), "The console supports INNER, LEFT and CROSS JOIN only.");
        }
        return reader.at("JOIN") || reader.at("INNER") || reader.at("LEFT") || reader.at("CROSS");
    }

    private Query.Source join(Position at, Query.Source first) {
        boolean cross = reader.accept("CROSS");
        boolean left = !cross && reader.accept("LEFT");
        if (left) {
            reader.accept("OUTER");
        } else if (!cross) {
            reader.accept("INNER");
        }
        reader.expect("JOIN");
        Query.Source second = source();
        if (cross) {
            return new Query.Source.Join(at, false, first, second, null);
        }
        reader.expect("ON");
        return new Query.Source.Join(at, left, first, second, expressions.expression());
    }

    private Query.Source source() {
        Token token = reader.peek();
        if (token.kind() == Token.Kind.VARIABLE) {
            reader.take();
            return new Query.Source.Variable(token.at(), token.text().toLowerCase(Locale.ROOT), alias(false));
        }
        if (reader.acceptSymbol("(")) {
            if (!reader.at("SELECT")) {
                throw reader.expected("SELECT");
            }
            Query query = primaries.subquery(token.at()).query();
            String alias = alias(false);
            if (alias == null) {
                throw reader.expected("a name for the query in parentheses");
            }
            return new Query.Source.Derived(token.at(), query, alias);
        }
        List<String> name = primaries.nameParts("the name of a view");
        String alias = alias(false);
        hints();
        return new Query.Source.Named(token.at(), name, alias);
    }

    // Hints such as WITH (NOLOCK) are ignored: snapshots need no locks.
    private void hints() {
        if (reader.at("WITH") && reader.peek(1).isSymbol("(")) {
            reader.take();
            reader.take();
            do {
                reader.expectName("a table hint");
            } while (reader.acceptSymbol(","));
            reader.expectSymbol(")");
        }
    }

    private List<Query.Order> orders() {
        List<Query.Order> order = new ArrayList<>();
        do {
            Expr expr = expressions.expression();
            boolean descending = reader.accept("DESC");
            if (!descending) {
                reader.accept("ASC");
            }
            order.add(new Query.Order(expr, descending));
        } while (reader.acceptSymbol(","));
        if (reader.at("OFFSET")) {
            throw new SqlError(102, reader.peek().at(), "The console does not support OFFSET. Use TOP.");
        }
        return order;
    }
}
