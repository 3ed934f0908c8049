package dev.comporta.standin.engine.ast;

import dev.comporta.standin.engine.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An element within the parentheses of CREATE TABLE. Omitted names are empty. */
public sealed interface TableElement {
    record ColumnDef(
            String name,
            SqlType type,
            @Nullable Boolean nullable,
            @Nullable Identity identity,
            @Nullable Expr defaultValue,
            String defaultText,
            List<Constraint> constraints)
            implements TableElement {}

    record Identity(long seed, long increment) {}

    sealed interface Constraint extends TableElement {
        String name();
    }

    record Key(String name, boolean primary, List<String> columns) implements Constraint {}

    record Check(String name, Condition condition, String text) implements Constraint {}

    record ForeignKey(
            String name,
            List<String> columns,
            ObjectName target,
            List<String> targetColumns,
            boolean cascadeDelete,
            boolean cascadeUpdate)
            implements Constraint {}
}
