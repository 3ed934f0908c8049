package dev.comporta.console.eval;

import dev.comporta.console.table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that is ready to run. */
interface BoundQuery {
    List<Column> columns();

    /**
     * @param outer the row of the query around this one
     */
    List<@Nullable Object[]> rows(Frame outer);
}
