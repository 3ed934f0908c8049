package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Query.SetOperator;
import dev.comporta.standin.engine.parse.Token.Kind;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SELECT: common table expressions, set operations, ORDER BY, OFFSET, hints (read and ignored). */
final class QueryParser {
    private final TokenReader reader;
    private final ExprParser exprs;
    private final FromParser froms;

    QueryParser(TokenReader reader) {
        this.reader = reader;
        this.exprs = new ExprParser(reader, this);
        this.froms = new FromParser(reader, this);
    }

    ExprParser exprs() {
        return exprs;
    }

    FromParser froms() {
        return froms;
    }

    /** Whether a query begins here, possibly after parentheses. */
    boolean atQuery() {
        int i = 0;
        while (reader.peek(i).isSymbol("(")) {
            i++;
        }
        return reader.peek(i).isWord("SELECT") || (i == 0 && reader.peek(i).isWord("WITH"));
    }

    Query query() {
        List<Query.Cte> with = reader.skipWord("WITH") ? commonTables() : List.of();
        return query(with);
    }

    Query query(List<Query.Cte> with) {
        Query.Body body = union();
        List<Query.Order> order = reader.skipWords("ORDER", "BY") ? orderList() : List.of();
        Expr offset = null;
        Expr fetch = null;
        if (reader.skipWord("OFFSET")) {
            offset = exprs.expr();
            skipRows();
            if (reader.skipWord("FETCH")) {
                if (!reader.skipWord("NEXT")) {
                    reader.expectWord("FIRST");
                }
                fetch = exprs.expr();
                skipRows();
                reader.expectWord("ONLY");
            }
        }
        endings();
        return new Query(with, body, order, offset, fetch);
    }

    private void skipRows() {
        if (!reader.skipWord("ROWS")) {
            reader.expectWord("ROW");
        }
    }

    private void endings() {
        if (reader.isWord("FOR")) {
            if (reader.peek(1).isWord("BROWSE")) {
                reader.next();
                reader.next();
            } else if (reader.peek(1).isWord("XML") || reader.peek(1).isWord("JSON")) {
                throw SqlError.unsupported("FOR " + reader.peek(1).upper()).at(reader.line());
            }
        }
        if (reader.skipWord("OPTION")) {
            reader.skipParentheses();
        }
    }

    List<Query.Cte> commonTables() {
        List<Query.Cte> list = new ArrayList<>();
        do {
            String name = reader.expectIdentifier();
            List<String> columns = reader.isSymbol("(") ? reader.identifierList() : List.of();
            reader.expectWord("AS");
            Query query = reader.inParentheses(this::query);
            list.add(new Query.Cte(name, columns, query));
        } while (reader.skipSymbol(","));
        return list;
    }

    List<Query.Order> orderList() {
        List<Query.Order> list = new ArrayList<>();
        do {
            Expr expr = exprs.expr();
            boolean descending = reader.skipWord("DESC");
            if (!descending) {
                reader.skipWord("ASC");
            }
            list.add(new Query.Order(expr, descending));
        } while (reader.skipSymbol(","));
        return list;
    }

    private Query.Body union() {
        Query.Body left = intersection();
        while (true) {
            SetOperator operator;
            if (reader.skipWord("UNION")) {
                operator = reader.skipWord("ALL") ? SetOperator.UNION_ALL : SetOperator.UNION;
            } else if (reader.skipWord("EXCEPT")) {
                operator = SetOperator.EXCEPT;
            } else {
                return left;
            }
            left = new Query.Combined(operator, left, intersection());
        }
    }

    private Query.Body intersection() {
        Query.Body left = operand();
        while (reader.skipWord("INTERSECT")) {
            left = new Query.Combined(SetOperator.INTERSECT, left, operand());
        }
        return left;
    }

    private Query.Body operand() {
        if (reader.isSymbol("(")) {
            return new Query.Nested(reader.inParentheses(this::query));
        }
        if (reader.skipWord("VALUES")) {
            return values();
        }
        return select();
    }

    /** The rows after VALUES. */
    Query.Values values() {
        return new Query.Values(reader.list(() -> reader.inParentheses(() -> reader.list(this::valueOrDefault))));
    }

    private Expr valueOrDefault() {
        if (reader.skipWord("DEFAULT")) {
            return new Expr.Call("DEFAULT", List.of(), false, null);
        }
        return exprs.expr();
    }

    private Query.Select select() {
        reader.expectWord("SELECT");
        boolean distinct = reader.skipWord("DISTINCT");
        if (!distinct) {
            reader.skipWord("ALL");
        }
        Query.Top top = top();
        List<Query.Item> items = reader.list(this::item);
        ObjectName into = reader.skipWord("INTO") ? reader.expectObjectName() : null;
        List<Query.From> from = reader.skipWord("FROM") ? froms.fromList() : List.of();
        Condition where = reader.skipWord("WHERE") ? exprs.condition() : null;
        List<Expr> groupBy = reader.skipWords("GROUP", "BY") ? exprs.exprList() : List.of();
        Condition having = reader.skipWord("HAVING") ? exprs.condition() : null;
        return new Query.Select(distinct, top, items, into, from, where, groupBy, having);
    }

    Query.@Nullable Top top() {
        if (!reader.skipWord("TOP")) {
            return null;
        }
        Expr count;
        if (reader.isSymbol("(")) {
            count = reader.inParentheses(exprs::expr);
        } else {
            Token token = reader.peek();
            if (token.kind() != Kind.INTEGER && token.kind() != Kind.VARIABLE) {
                throw reader.unexpected();
            }
            reader.next();
            count = token.kind() == Kind.VARIABLE
                    ? new Expr.Variable(token.text())
                    : new Expr.Literal(Types.INT, Integer.valueOf(token.text()));
        }
        boolean percent = reader.skipWord("PERCENT");
        boolean ties = reader.skipWords("WITH", "TIES");
        return new Query.Top(count, percent, ties);
    }

    private Query.Item item() {
        if (reader.isSymbol("*")) {
            reader.next();
            return new Query.Item(new Expr.Star(List.of()), "", "");
        }
        boolean assigns = reader.peek(1).isSymbol("=");
        if (reader.peek().kind() == Kind.VARIABLE && assigns) {
            String variable = reader.next().text();
            reader.next();
            return new Query.Item(exprs.expr(), "", variable);
        }
        if (assigns && (reader.isIdentifier() || reader.peek().kind() == Kind.STRING)) {
            String alias = reader.next().text();
            reader.next();
            return new Query.Item(exprs.expr(), alias, "");
        }
        Expr expr = exprs.expr();
        if (reader.skipWord("AS")) {
            return new Query.Item(expr, reader.expectAlias(), "");
        }
        boolean aliased = reader.isIdentifier() || reader.peek().kind() == Kind.STRING;
        return new Query.Item(expr, aliased ? reader.next().text() : "", "");
    }
}
