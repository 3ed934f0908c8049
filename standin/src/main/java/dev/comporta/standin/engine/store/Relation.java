package dev.comporta.standin.engine.store;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.ast.Query;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A named source of FROM. */
public sealed interface Relation permits Table, Relation.View, Relation.SystemView {
    record View(int id, String database, String schema, String name, List<String> columns, Query query, String text)
            implements Relation {}

    /**
     * A view of the server's own state.
     *
     * @param name unique among system views; H2 identifies it by this name
     * @param rows computes them for each query
     */
    record SystemView(String name, List<Column> columns, Supplier<List<@Nullable Object[]>> rows) implements Relation {}
}
