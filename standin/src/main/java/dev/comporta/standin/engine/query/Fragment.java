package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.type.TypedValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rendered expression: its text for H2, and what is known of its value.
 *
 * @param constant the value, if it is known before the query runs
 */
record Fragment(
        String sql,
        SqlType type,
        boolean nullable,
        boolean identity,
        Kind kind,
        @Nullable TypedValue constant) {
    enum Kind {
        CONSTANT,
        /** A column of a table, which H2 itself compares without regard to case. */
        COLUMN,
        EXPRESSION
    }

    static Fragment expression(String sql, SqlType type) {
        return new Fragment(sql, type, true, false, Kind.EXPRESSION, null);
    }

    static Fragment required(String sql, SqlType type) {
        return new Fragment(sql, type, false, false, Kind.EXPRESSION, null);
    }

    boolean isNullLiteral() {
        return constant != null && constant.value() == null;
    }

    Fragment as(String otherSql, SqlType otherType) {
        return new Fragment(otherSql, otherType, nullable, false, Kind.EXPRESSION, null);
    }

    /** A column of a rendered query. */
    record Output(String name, String h2Name, Fragment fragment) {}

    /** A rendered query. */
    record Table(String sql, List<Output> outputs) {}
}
