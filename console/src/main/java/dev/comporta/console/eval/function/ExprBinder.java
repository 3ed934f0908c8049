package dev.comporta.console.eval.function;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.sql.Expr;

/** Finds names and types of a function's arguments. */
public interface ExprBinder {
    Bound bind(Expr expression);

    Bound.Condition condition(Expr expression);
}
