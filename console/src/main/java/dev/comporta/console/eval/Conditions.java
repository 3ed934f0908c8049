package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.eval.scalar.Types;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.LikePattern;
import dev.comporta.console.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds conditions. They follow SQL's three-valued logic: a comparison with NULL is unknown, and NOT unknown is unknown. */
record Conditions(Binder binder, Surroundings surroundings) {
    Bound.Condition bind(Expr expr) {
        return switch (expr) {
            case Expr.And and -> and(bindAll(and.operands()));
            case Expr.Or or -> or(bindAll(or.operands()));
            case Expr.Not not -> not(bind(not.operand()), true);
            case Expr.Comparison comparison -> compare(comparison);
            case Expr.IsNull isNull -> {
                Bound operand = binder.bind(isNull.operand());
                yield frame -> (operand.value(frame) == null) != isNull.negated();
            }
            case Expr.In in -> not(in(in.at(), in.operand(), in.list()), in.negated());
            case Expr.InQuery in -> not(inQuery(in), in.negated());
            case Expr.Between between -> not(between(between), between.negated());
            case Expr.Like like -> not(like(like), like.negated());
            case Expr.Exists exists -> {
                BoundQuery query = binder.query(exists.query());
                yield frame -> !query.rows(frame).isEmpty();
            }
            default ->
                throw new SqlError(
                        4145,
                        expr.at(),
                        "A value stands where a condition is expected. Compare it, as in healthy = 1.");
        };
    }

    private List<Bound.Condition> bindAll(List<Expr> operands) {
        List<Bound.Condition> bound = new ArrayList<>();
        for (Expr operand : operands) {
            bound.add(bind(operand));
        }
        return bound;
    }

    private static Bound.Condition and(List<Bound.Condition> operands) {
        return frame -> all(operands, frame, true);
    }

    private static Bound.Condition or(List<Bound.Condition> operands) {
        return frame -> all(operands, frame, false);
    }

    // AND is false as soon as one operand is false; OR is the same with true and false exchanged.
    private static @Nullable Boolean all(List<Bound.Condition> operands, Frame frame, boolean expected) {
        boolean unknown = false;
        for (Bound.Condition operand : operands) {
            Boolean holds = operand.holds(frame);
            if (holds == null) {
                unknown = true;
            } else if (holds != expected) {
                return !expected;
            }
        }
        return unknown ? null : expected;
    }

    private static Bound.Condition not(Bound.Condition condition, boolean negated) {
        if (!negated) {
            return condition;
        }
        return frame -> {
            Boolean holds = condition.holds(frame);
            return holds == null ? null : !holds;
        };
    }

    Bound.Condition compare(Expr.Comparison comparison) {
        return compare(
                comparison.at(),
                comparison.relation(),
                binder.bind(comparison.left()),
                binder.bind(comparison.right()));
    }

    private static Bound.Condition compare(Position at, Expr.Relation relation, Bound left, Bound right) {
        ColumnType type = Types.common(List.of(left, right));
        if (type == null) {
            return _ -> null;
        }
        Bound first = left.as(type, at);
        Bound second = right.as(type, at);
        return frame -> {
            Object a = first.value(frame);
            Object b = second.value(frame);
            if (a == null || b == null) {
                return null;
            }
            return relation.holds(Values.compare(a, b));
        };
    }

    private Bound.Condition in(Position at, Expr operand, List<Expr> list) {
        Bound value = binder.bind(operand);
        List<Bound.Condition> comparisons = new ArrayList<>();
        for (Expr element : list) {
            comparisons.add(compare(at, Expr.Relation.EQUAL, value, binder.bind(element)));
        }
        Bound.Condition any = or(comparisons);
        return frame -> {
            surroundings.budget().step(comparisons.size() / 16, at);
            return any.holds(frame);
        };
    }

    private Bound.Condition inQuery(Expr.InQuery in) {
        Bound operand = binder.bind(in.operand());
        BoundQuery query = binder.query(in.query());
        if (query.columns().size() != 1) {
            throw new SqlError(116, in.at(), "The query behind IN must return one column.");
        }
        // The frame of this pair: the operand's value, then the value that the query returned.
        Bound left = new Bound(operand.type(), pair -> pair.values()[0]);
        Bound right = new Bound(query.columns().getFirst().type(), pair -> pair.values()[1]);
        Bound.Condition equal = compare(in.at(), Expr.Relation.EQUAL, left, right);
        return frame -> {
            @Nullable Object[] pair = {operand.value(frame), null};
            boolean unknown = false;
            for (@Nullable Object[] row : query.rows(frame)) {
                surroundings.budget().step(in.at());
                pair[1] = row[0];
                Boolean holds = equal.holds(new Frame(pair, null));
                if (Boolean.TRUE.equals(holds)) {
                    return true;
                }
                unknown |= holds == null;
            }
            return unknown ? null : false;
        };
    }

    private Bound.Condition between(Expr.Between between) {
        Bound operand = binder.bind(between.operand());
        return and(List.of(
                compare(between.at(), Expr.Relation.GREATER_OR_EQUAL, operand, binder.bind(between.low())),
                compare(between.at(), Expr.Relation.LESS_OR_EQUAL, operand, binder.bind(between.high()))));
    }

    private Bound.Condition like(Expr.Like like) {
        Bound text = binder.bind(like.operand()).as(ColumnType.NVARCHAR, like.at());
        Bound pattern = binder.bind(like.pattern()).as(ColumnType.NVARCHAR, like.at());
        Expr escapeExpr = like.escape();
        Bound escape = escapeExpr == null ? null : binder.bind(escapeExpr).as(ColumnType.NVARCHAR, like.at());
        PatternCache cache = new PatternCache();
        return frame -> {
            String value = (String) text.value(frame);
            String form = (String) pattern.value(frame);
            String escaping = escape == null ? "" : (String) escape.value(frame);
            if (value == null || form == null || escaping == null) {
                return null;
            }
            if (escape != null && escaping.length() != 1) {
                throw new SqlError(506, like.at(), "ESCAPE takes one character, not '" + escaping + "'.");
            }
            surroundings.budget().step((long) value.length() * form.length() / 256, like.at());
            return cache.get(form, escaping).matches(value);
        };
    }

    /** The pattern is nearly always the same for all rows. */
    private static final class PatternCache {
        private String form = "";
        private String escape = "";
        private LikePattern pattern = LikePattern.of("", null);

        LikePattern get(String wantedForm, String wantedEscape) {
            if (!form.equals(wantedForm) || !escape.equals(wantedEscape)) {
                form = wantedForm;
                escape = wantedEscape;
                pattern = LikePattern.of(form, escape.isEmpty() ? null : escape.charAt(0));
            }
            return pattern;
        }
    }
}
