package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that is ready to run. */
interface BoundQuery {
    List<Column> columns();

    /** Whether a column is an untyped NULL: in a UNION it takes the type of the same column in the other queries. */
    boolean isUntyped(int column);

    /** @param outer the row of the query around this one */
    List<@Nullable Object[]> rows(Frame outer);
}
