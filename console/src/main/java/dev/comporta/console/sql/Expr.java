package dev.comporta.console.sql;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An expression as it was written: a value, or a condition that is true, false or unknown. */
public sealed interface Expr {
    Position at();

    /** A Boolean, Integer, Long, Double, String, or null for NULL. */
    record Literal(Position at, @Nullable Object value) implements Expr {}

    /** A column, optionally with its source: {@code p.name}. */
    record Name(Position at, List<String> parts) implements Expr {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name name && folded(parts).equals(folded(name.parts));
        }

        @Override
        public int hashCode() {
            return folded(parts).hashCode();
        }

        private static List<String> folded(List<String> parts) {
            return parts.stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
        }

        @Override
        public String toString() {
            return String.join(".", parts);
        }
    }

    /** @param name in lower case, with its {@code @} */
    record Variable(Position at, String name) implements Expr {}

    /** @param name in lower case, with its {@code @@} */
    record Global(Position at, String name) implements Expr {}

    record Negative(Position at, Expr operand) implements Expr {}

    /** @param operator one of {@code + - * / %} */
    record Calculation(Position at, String operator, Expr left, Expr right) implements Expr {}

    record Comparison(Position at, Relation relation, Expr left, Expr right) implements Expr {}

    record And(Position at, List<Expr> operands) implements Expr {}

    record Or(Position at, List<Expr> operands) implements Expr {}

    record Not(Position at, Expr operand) implements Expr {}

    record IsNull(Position at, Expr operand, boolean negated) implements Expr {}

    record In(Position at, Expr operand, List<Expr> list, boolean negated) implements Expr {}

    record InQuery(Position at, Expr operand, Query query, boolean negated) implements Expr {}

    record Between(Position at, Expr operand, Expr low, Expr high, boolean negated) implements Expr {}

    record Like(
            Position at,
            Expr operand,
            Expr pattern,
            @Nullable Expr escape,
            boolean negated) implements Expr {}

    record Exists(Position at, Query query) implements Expr {}

    /** With a subject {@code CASE x WHEN 1 …}, without one {@code CASE WHEN x = 1 …}. */
    record Case(
            Position at,
            @Nullable Expr subject,
            List<When> whens,
            @Nullable Expr otherwise) implements Expr {}

    record When(Expr condition, Expr result) {}

    /**
     * @param style the style of CONVERT, 0 without one
     * @param tolerant TRY_CAST and TRY_CONVERT: NULL instead of an error
     */
    record Cast(Position at, Expr operand, TypeName type, int style, boolean tolerant) implements Expr {}

    /**
     * @param name in upper case
     * @param star {@code COUNT(*)}
     */
    record Call(Position at, String name, List<Expr> arguments, boolean distinct, boolean star) implements Expr {}

    record Subquery(Position at, Query query) implements Expr {}

    enum Relation {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        public boolean holds(int comparison) {
            return switch (this) {
                case EQUAL -> comparison == 0;
                case NOT_EQUAL -> comparison != 0;
                case LESS -> comparison < 0;
                case LESS_OR_EQUAL -> comparison <= 0;
                case GREATER -> comparison > 0;
                case GREATER_OR_EQUAL -> comparison >= 0;
            };
        }
    }
}
