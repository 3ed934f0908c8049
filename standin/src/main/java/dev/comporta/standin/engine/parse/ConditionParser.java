package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.parse.Token.Kind;
import java.util.Set;
import java.util.function.Predicate;

/** Conditions: OR below AND below NOT below predicates. */
record ConditionParser(TokenReader reader, ExprParser exprs, QueryParser queries) {
    private static final Set<String> COMPARISONS = Set.of("=", "<", ">", "<=", ">=", "<>", "!=", "!<", "!>");

    Condition condition() {
        Condition left = conjunction();
        while (reader.skipWord("OR")) {
            left = new Condition.Or(left, conjunction());
        }
        return left;
    }

    private Condition conjunction() {
        Condition left = negation();
        while (reader.skipWord("AND")) {
            left = new Condition.And(left, negation());
        }
        return left;
    }

    private Condition negation() {
        return reader.skipWord("NOT") ? new Condition.Not(negation()) : predicate();
    }

    private Condition predicate() {
        if (reader.skipWord("EXISTS")) {
            return new Condition.Exists(reader.inParentheses(queries::query));
        }
        if (reader.isSymbol("(") && opensCondition()) {
            return reader.inParentheses(this::condition);
        }
        return comparison(exprs.expr());
    }

    /**
     * Whether the parenthesis here holds a condition and not an expression. This takes look-ahead: a condition has a
     * comparison, or one of its words, at the depth of the parenthesis itself or of one that it begins with.
     */
    private boolean opensCondition() {
        int depth = 0;
        for (int i = 0; ; i++) {
            Token token = reader.peek(i);
            if (token.kind() == Kind.END) {
                return false;
            }
            if (token.isSymbol("(")) {
                if (reader.peek(i + 1).isWord("SELECT") || reader.peek(i + 1).isWord("WITH")) {
                    if (i == 0) {
                        return false;
                    }
                    i = skipBalanced(i);
                    continue;
                }
                // A function's arguments or a type's length don't show what is around them.
                if (i > 0 && reader.peek(i - 1).isIdentifier() && !isConditionWord(reader.peek(i - 1))) {
                    i = skipBalanced(i);
                    continue;
                }
                depth++;
            } else if (token.isSymbol(")")) {
                depth--;
                if (depth == 0) {
                    return false;
                }
            } else if (token.isWord("CASE")) {
                i = skipCase(i);
            } else if (isConditionWord(token) || (token.kind() == Kind.SYMBOL && COMPARISONS.contains(token.text()))) {
                return true;
            }
        }
    }

    private int skipBalanced(int from) {
        return closing(from, token -> token.isSymbol("("), token -> token.isSymbol(")"));
    }

    private int skipCase(int from) {
        return closing(from, token -> token.isWord("CASE"), token -> token.isWord("END"));
    }

    /** The index where the bracket that opens at a token is closed again, or the end of the text. */
    private int closing(int from, Predicate<Token> opens, Predicate<Token> closes) {
        int depth = 0;
        int i = from;
        for (; reader.peek(i).kind() != Kind.END; i++) {
            if (opens.test(reader.peek(i))) {
                depth++;
            } else if (closes.test(reader.peek(i)) && --depth == 0) {
                break;
            }
        }
        return i;
    }

    private static boolean isConditionWord(Token token) {
        return switch (token.upper()) {
            case "AND", "OR", "NOT", "IS", "IN", "LIKE", "BETWEEN", "EXISTS" -> token.kind() == Kind.WORD;
            default -> false;
        };
    }

    private Condition comparison(Expr left) {
        Token token = reader.peek();
        if (token.kind() == Kind.SYMBOL && COMPARISONS.contains(token.text())) {
            return compared(left, operator(reader.next().text()));
        }
        if (reader.skipWord("IS")) {
            boolean negated = reader.skipWord("NOT");
            reader.expectWord("NULL");
            return new Condition.IsNull(left, negated);
        }
        boolean negated = reader.skipWord("NOT");
        if (reader.skipWord("IN")) {
            return in(left, negated);
        }
        if (reader.skipWord("BETWEEN")) {
            Expr low = exprs.expr();
            reader.expectWord("AND");
            return new Condition.Between(left, low, exprs.expr(), negated);
        }
        if (reader.skipWord("LIKE")) {
            Expr pattern = exprs.expr();
            Expr escape = reader.skipWord("ESCAPE") ? exprs.expr() : null;
            return new Condition.Like(left, pattern, escape, negated);
        }
        throw reader.unexpected();
    }

    private static String operator(String written) {
        return switch (written) {
            case "!=" -> "<>";
            case "!<" -> ">=";
            case "!>" -> "<=";
            default -> written;
        };
    }

    private Condition compared(Expr left, String operator) {
        boolean all = reader.isWord("ALL");
        if (all || reader.isWord("ANY") || reader.isWord("SOME")) {
            reader.next();
            return new Condition.Quantified(operator, left, all, reader.inParentheses(queries::query));
        }
        return new Condition.Compare(operator, left, exprs.expr());
    }

    private Condition in(Expr left, boolean negated) {
        return reader.inParentheses(() -> queries.atQuery()
                ? new Condition.InQuery(left, queries.query(), negated)
                : new Condition.InList(left, exprs.exprList(), negated));
    }
}
