package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.parse.Token.Kind;
import dev.comporta.standin.engine.type.Types;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Scalar expressions, by precedence: unary, then * / %, then + - and the bitwise operators. */
final class ExprParser {
    /** Functions whose names are reserved words. */
    private static final Set<String> RESERVED_FUNCTIONS = Set.of("COALESCE", "NULLIF", "LEFT", "RIGHT");

    private static final Set<String> NILADIC =
            Set.of("CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER");

    /** Functions whose first argument is the bare name of a date part. */
    private static final Set<String> DATE_PART_FUNCTIONS =
            Set.of("DATEADD", "DATEDIFF", "DATEDIFF_BIG", "DATEPART", "DATENAME");

    private final TokenReader reader;
    private final QueryParser queries;
    private final TypeParser types;
    private final ConditionParser conditions;

    ExprParser(TokenReader reader, QueryParser queries) {
        this.reader = reader;
        this.queries = queries;
        this.types = new TypeParser(reader);
        this.conditions = new ConditionParser(reader, this, queries);
    }

    Condition condition() {
        return conditions.condition();
    }

    Expr expr() {
        return binary("+-&|^", this::product);
    }

    List<Expr> exprList() {
        return reader.list(this::expr);
    }

    private Expr product() {
        return binary("*/%", this::unary);
    }

    private Expr binary(String operators, Supplier<Expr> operand) {
        Expr left = operand.get();
        while (true) {
            char operator = symbolOf(operators);
            if (operator == 0) {
                return left;
            }
            reader.next();
            left = new Expr.Binary(operator, left, operand.get());
        }
    }

    private char symbolOf(String operators) {
        Token token = reader.peek();
        boolean one = token.kind() == Kind.SYMBOL && token.text().length() == 1;
        return one && operators.contains(token.text()) ? token.text().charAt(0) : 0;
    }

    private Expr unary() {
        char operator = symbolOf("+-~");
        if (operator == 0) {
            return collated(primary());
        }
        reader.next();
        Expr operand = unary();
        if (operator == '+') {
            return operand;
        }
        return operator == '-' && operand instanceof Expr.Literal literal
                ? negated(literal)
                : new Expr.Unary(operator, operand);
    }

    private static Expr negated(Expr.Literal literal) {
        Object value = literal.value();
        if (value instanceof Integer number) {
            return new Expr.Literal(literal.type(), -number);
        } else if (value instanceof BigDecimal number) {
            if (number.scale() == 0 && number.precision() <= 10 && fitsInt(number.negate())) {
                return new Expr.Literal(Types.INT, number.negate().intValue());
            }
            return new Expr.Literal(literal.type(), number.negate());
        } else if (value instanceof Double number) {
            return new Expr.Literal(literal.type(), -number);
        }
        return new Expr.Unary('-', literal);
    }

    private static boolean fitsInt(BigDecimal number) {
        return number.compareTo(BigDecimal.valueOf(Integer.MIN_VALUE)) >= 0
                && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
    }

    private Expr collated(Expr operand) {
        if (reader.skipWord("COLLATE")) {
            reader.next();
        }
        return operand;
    }

    private Expr primary() {
        Token token = reader.peek();
        return switch (token.kind()) {
            case INTEGER, DECIMAL, FLOAT, MONEY, BINARY, STRING, NATIONAL_STRING -> literal(reader.next());
            case VARIABLE -> new Expr.Variable(reader.next().text());
            case GLOBAL -> new Expr.Global(reader.next().upper());
            case SYMBOL -> symbol(token);
            case WORD -> word(token);
            case QUOTED -> name();
            case END -> throw reader.unexpected();
        };
    }

    private Expr symbol(Token token) {
        if (token.isSymbol("{")) {
            return odbcEscape();
        }
        if (!token.isSymbol("(")) {
            throw reader.unexpected();
        }
        return reader.inParentheses(() -> queries.atQuery() ? new Expr.Subquery(queries.query()) : expr());
    }

    /** {fn f(x)}, {d '...'}, {t '...'}, {ts '...'}. */
    private Expr odbcEscape() {
        reader.expectSymbol("{");
        String kind = reader.next().upper();
        Expr result = switch (kind) {
            case "FN" -> expr();
            case "D", "TS", "T" -> new Expr.Cast(expr(), Types.DATETIME, null, false);
            default -> throw reader.unexpected();
        };
        reader.expectSymbol("}");
        return result;
    }

    private Expr word(Token token) {
        switch (token.upper()) {
            case "NULL" -> {
                reader.next();
                return new Expr.Literal(Types.INT, null);
            }
            case "CASE" -> {
                return caseExpr();
            }
            case "CAST", "TRY_CAST" -> {
                if (reader.peek(1).isSymbol("(")) {
                    return cast();
                }
            }
            case "CONVERT", "TRY_CONVERT" -> {
                return convert();
            }
            default -> {}
        }
        if (NILADIC.contains(token.upper())) {
            reader.next();
            return new Expr.Call(token.upper(), List.of(), false, null);
        }
        if (reader.peek(1).isSymbol("(") && RESERVED_FUNCTIONS.contains(token.upper())) {
            reader.next();
            return call(token.upper());
        }
        if (Keywords.isReserved(token)) {
            throw reader.unexpected();
        }
        return name();
    }

    private Expr name() {
        List<String> parts = new ArrayList<>();
        parts.add(reader.expectIdentifier());
        while (reader.isSymbol(".")) {
            reader.next();
            if (reader.isSymbol("*")) {
                reader.next();
                return new Expr.Star(parts);
            }
            parts.add(reader.isSymbol(".") ? "" : reader.expectIdentifier());
        }
        if (reader.isSymbol("(")) {
            return call(String.join(".", parts).toUpperCase(Locale.ROOT));
        }
        String last = parts.removeLast();
        return new Expr.ColumnRef(List.copyOf(parts), last);
    }

    private Expr call(String name) {
        reader.expectSymbol("(");
        boolean distinct = reader.skipWord("DISTINCT");
        List<Expr> arguments = new ArrayList<>();
        if (reader.isSymbol("*")) {
            reader.next();
            arguments.add(new Expr.Star(List.of()));
        } else if (!reader.isSymbol(")")) {
            if (DATE_PART_FUNCTIONS.contains(name)) {
                String part = reader.expectIdentifier();
                arguments.add(new Expr.Literal(Types.varchar(part.length()), part.toLowerCase(Locale.ROOT)));
                reader.expectSymbol(",");
            }
            if (name.equals("IIF")) {
                return iif();
            }
            arguments.addAll(exprList());
        }
        reader.expectSymbol(")");
        return new Expr.Call(name, arguments, distinct, over());
    }

    private Expr iif() {
        Condition condition = condition();
        reader.expectSymbol(",");
        Expr then = expr();
        reader.expectSymbol(",");
        Expr otherwise = expr();
        reader.expectSymbol(")");
        return new Expr.Case(null, List.of(new Expr.When(null, condition, then)), otherwise);
    }

    private Expr.@Nullable Over over() {
        if (!reader.skipWord("OVER")) {
            return null;
        }
        reader.expectSymbol("(");
        List<Expr> partition = reader.skipWords("PARTITION", "BY") ? exprList() : List.of();
        List<Query.Order> order = reader.skipWords("ORDER", "BY") ? queries.orderList() : List.of();
        reader.expectSymbol(")");
        return new Expr.Over(partition, order);
    }

    private Expr cast() {
        boolean orNull = reader.next().upper().equals("TRY_CAST");
        reader.expectSymbol("(");
        Expr operand = expr();
        reader.expectWord("AS");
        SqlType type = types.parse(30);
        reader.expectSymbol(")");
        return new Expr.Cast(operand, type, null, orNull);
    }

    private Expr convert() {
        boolean orNull = reader.next().upper().equals("TRY_CONVERT");
        reader.expectSymbol("(");
        SqlType type = types.parse(30);
        reader.expectSymbol(",");
        Expr operand = expr();
        Expr style = reader.skipSymbol(",") ? expr() : null;
        reader.expectSymbol(")");
        return new Expr.Cast(operand, type, style, orNull);
    }

    private Expr caseExpr() {
        reader.expectWord("CASE");
        Expr subject = reader.isWord("WHEN") ? null : expr();
        List<Expr.When> whens = new ArrayList<>();
        while (reader.skipWord("WHEN")) {
            Expr value = subject == null ? null : expr();
            Condition condition = subject == null ? condition() : null;
            reader.expectWord("THEN");
            whens.add(new Expr.When(value, condition, expr()));
        }
        if (whens.isEmpty()) {
            throw reader.unexpected();
        }
        Expr otherwise = reader.skipWord("ELSE") ? expr() : null;
        reader.expectWord("END");
        return new Expr.Case(subject, whens, otherwise);
    }

    private static Expr literal(Token token) {
        String text = token.text();
        return switch (token.kind()) {
            case INTEGER -> {
                BigDecimal number = new BigDecimal(text);
                yield fitsInt(number)
                        ? new Expr.Literal(Types.INT, number.intValue())
                        : new Expr.Literal(Types.numeric(number.precision(), 0), number);
            }
            case DECIMAL -> {
                BigDecimal number = new BigDecimal(text.endsWith(".") ? text + "0" : text);
                int scale = text.length() - text.indexOf('.') - 1;
                number = number.setScale(scale);
                yield new Expr.Literal(Types.numeric(Math.max(1, Math.max(number.precision(), scale)), scale), number);
            }
            case FLOAT -> new Expr.Literal(Types.FLOAT, Double.valueOf(text));
            case MONEY ->
                new Expr.Literal(Types.MONEY, text.isEmpty() ? BigDecimal.ZERO : new BigDecimal(text).setScale(4));
            case BINARY -> {
                byte[] bytes = HexFormat.of().parseHex(text.length() % 2 == 0 ? text : "0" + text);
                yield new Expr.Literal(Types.varbinary(Math.max(1, bytes.length)), bytes);
            }
            case NATIONAL_STRING -> new Expr.Literal(new SqlType(Name.NVARCHAR, textLength(text, 4000), 0, 0), text);
            default -> new Expr.Literal(new SqlType(Name.VARCHAR, textLength(text, 8000), 0, 0), text);
        };
    }

    private static int textLength(String text, int most) {
        return text.length() > most ? SqlType.MAX : Math.max(1, text.length());
    }
}
