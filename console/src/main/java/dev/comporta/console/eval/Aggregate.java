package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Budget;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.eval.scalar.Texts;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Arithmetic;
import dev.comporta.console.value.ValueException;
import dev.comporta.console.value.Values;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One aggregate function of a grouped query.
 *
 * @param type of the result
 * @param argument null for {@code COUNT(*)}
 * @param separator of STRING_AGG
 */
record Aggregate(
        Position at,
        Kind kind,
        ColumnType type,
        boolean distinct,
        @Nullable Bound argument,
        @Nullable Bound separator) {
    enum Kind {
        COUNT,
        COUNT_BIG,
        SUM,
        AVG,
        MIN,
        MAX,
        STRING_AGG
    }

    static boolean isAggregate(Expr.Call call) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(call.name())) {
                return true;
            }
        }
        return false;
    }

    static Aggregate bind(Expr.Call call, Binder binder) {
        Kind kind = Kind.valueOf(call.name());
        boolean count = kind == Kind.COUNT || kind == Kind.COUNT_BIG;
        int expected = call.star() ? 0 : kind == Kind.STRING_AGG ? 2 : 1;
        if (call.arguments().size() != expected || (call.star() && !count)) {
            throw new SqlError(
                    174,
                    call.at(),
                    call.name() + " takes " + (kind == Kind.STRING_AGG ? "two arguments." : "one argument."));
        }
        if (call.star()) {
            return new Aggregate(call.at(), kind, countType(kind), false, null, null);
        }
        Bound argument = binder.bind(call.arguments().getFirst());
        if (count) {
            return new Aggregate(call.at(), kind, countType(kind), call.distinct(), argument, null);
        }
        if (kind == Kind.STRING_AGG) {
            return new Aggregate(
                    call.at(),
                    kind,
                    ColumnType.NVARCHAR,
                    call.distinct(),
                    argument.as(ColumnType.NVARCHAR, call.at()),
                    binder.bind(call.arguments().get(1)).as(ColumnType.NVARCHAR, call.at()));
        }
        if (kind == Kind.MIN || kind == Kind.MAX) {
            return new Aggregate(call.at(), kind, argument.typeOrInt(), call.distinct(), argument, null);
        }
        return numeric(call, kind, argument);
    }

    private static ColumnType countType(Kind kind) {
        return kind == Kind.COUNT ? ColumnType.INT : ColumnType.BIGINT;
    }

    // A SUM of INT is a BIGINT here: sums of counters leave an INT behind soon.
    private static Aggregate numeric(Expr.Call call, Kind kind, Bound argument) {
        ColumnType from = argument.typeOrInt();
        if (!from.isNumeric()) {
            throw new SqlError(
                    8117,
                    call.at(),
                    "Operand data type " + from.name().toLowerCase(Locale.ROOT) + " is invalid for " + call.name()
                            + ".");
        }
        ColumnType summed = from == ColumnType.FLOAT ? ColumnType.FLOAT : ColumnType.BIGINT;
        ColumnType type =
                kind == Kind.AVG && from != ColumnType.BIGINT && summed == ColumnType.BIGINT ? ColumnType.INT : summed;
        return new Aggregate(call.at(), kind, type, call.distinct(), argument.as(summed, call.at()), null);
    }

    Accumulator start(Budget budget) {
        return new Accumulator(budget);
    }

    /** The aggregate over one group. NULLs do not count. */
    final class Accumulator {
        private final Budget budget;
        private final Set<Object> seen = new HashSet<>();
        private long count;
        private @Nullable Object value;

        private Accumulator(Budget budget) {
            this.budget = budget;
        }

        void add(Frame row) {
            Bound of = argument;
            if (of == null) {
                count++;
                return;
            }
            Object next = of.value(row);
            if (next == null || (distinct && !seen.add(Values.key(next)))) {
                return;
            }
            budget.rows(seen.size(), at);
            count++;
            Object so = value;
            value = so == null ? next : combined(so, next, row);
        }

        private Object combined(Object so, Object next, Frame row) {
            return switch (kind) {
                case COUNT, COUNT_BIG -> so;
                case SUM, AVG -> sum(so, next);
                case MIN -> Values.compare(next, so) < 0 ? next : so;
                case MAX -> Values.compare(next, so) > 0 ? next : so;
                case STRING_AGG -> {
                    budget.step(((String) so).length() / 256, at);
                    Object between = separator == null ? null : separator.value(row);
                    yield guarded(() -> Texts.limited((String) so + (between == null ? "" : between) + next));
                }
            };
        }

        private Object sum(Object so, Object next) {
            return guarded(
                    () -> Arithmetic.ADD.apply(so instanceof Double ? ColumnType.FLOAT : ColumnType.BIGINT, so, next));
        }

        private Object guarded(Supplier<Object> computation) {
            try {
                return computation.get();
            } catch (ValueException e) {
                throw new SqlError(e.number(), at, e.getMessage() == null ? "" : e.getMessage());
            }
        }

        @Nullable
        Object result() {
            return switch (kind) {
                case COUNT -> (int) count;
                case COUNT_BIG -> count;
                case SUM, MIN, MAX, STRING_AGG -> value;
                case AVG -> average();
            };
        }

        private @Nullable Object average() {
            if (value instanceof Long sum) {
                long average = sum / count;
                if (type == ColumnType.INT) {
                    return (int) average;
                }
                return average;
            }
            return value instanceof Double sum ? (Object) (sum / count) : null;
        }
    }
}
