package dev.comporta.standin.engine.ast;

import dev.comporta.standin.engine.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scalar expression. */
public sealed interface Expr {
    /** A constant; the value null is T-SQL's NULL, whose type depends on what it is combined with. */
    record Literal(SqlType type, @Nullable Object value) implements Expr {}

    /** A variable or parameter, with its @. */
    record Variable(String name) implements Expr {}

    /** A system variable, with its @@, in upper case. */
    record Global(String name) implements Expr {}

    record ColumnRef(List<String> qualifier, String name) implements Expr {}

    /** {@code *} or {@code t.*}, in a select list or as COUNT's argument. */
    record Star(List<String> qualifier) implements Expr {}

    record Unary(char operator, Expr operand) implements Expr {}

    /** Operators + - * / % & | ^. */
    record Binary(char operator, Expr left, Expr right) implements Expr {}

    /** A function by its name in upper case; a qualified name keeps its dots. */
    record Call(
            String name,
            List<Expr> arguments,
            boolean distinct,
            @Nullable Over over) implements Expr {}

    record Over(List<Expr> partitionBy, List<Query.Order> orderBy) {}

    record Cast(Expr operand, SqlType type, @Nullable Expr style, boolean orNull) implements Expr {}

    record Case(
            @Nullable Expr subject,
            List<When> whens,
            @Nullable Expr otherwise) implements Expr {}

    /** One arm of a CASE: either a value to compare the subject with, or a condition. */
    record When(@Nullable Expr value, @Nullable Condition condition, Expr result) {}

    record Subquery(Query query) implements Expr {}
}
