package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.store.Relation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement for H2, with everything that its execution needs.
 *
 * @param columns of the result; empty for DML
 * @param constants the single row of a query that needs no H2 at all, or null
 * @param readsTable whether it reads or writes a table or view, which opens an implicit transaction
 */
public record Rendered(
        String sql,
        List<@Nullable Object> parameters,
        List<JavaCall> calls,
        Map<String, Relation.SystemView> views,
        List<Column> columns,
        @Nullable List<@Nullable Object> constants,
        boolean readsTable) {}
