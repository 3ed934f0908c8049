package dev.comporta.standin.engine.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The condition of a WHERE, ON, HAVING, CHECK, IF, WHILE or CASE WHEN. */
public sealed interface Condition {
    record Compare(String operator, Expr left, Expr right) implements Condition {}

    record And(Condition left, Condition right) implements Condition {}

    record Or(Condition left, Condition right) implements Condition {}

    record Not(Condition operand) implements Condition {}

    record IsNull(Expr operand, boolean negated) implements Condition {}

    record InList(Expr operand, List<Expr> values, boolean negated) implements Condition {}

    record InQuery(Expr operand, Query query, boolean negated) implements Condition {}

    record Between(Expr operand, Expr low, Expr high, boolean negated) implements Condition {}

    record Like(Expr operand, Expr pattern, @Nullable Expr escape, boolean negated) implements Condition {}

    record Exists(Query query) implements Condition {}

    record Quantified(String operator, Expr left, boolean all, Query query) implements Condition {}
}
