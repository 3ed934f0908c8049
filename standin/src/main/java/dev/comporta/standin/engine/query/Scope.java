package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sources in which a query's names are looked up: its own FROM, then those of the queries around it. */
final class Scope {
    record SourceColumn(String name, String h2Name, SqlType type, boolean nullable, boolean identity) {}

    /**
     * @param name the qualifier of its columns: the alias, or the table's own name
     * @param h2Alias unique in the statement, or empty if columns are not to be qualified
     */
    record Source(String name, String h2Alias, List<SourceColumn> columns) {
        Fragment column(SourceColumn column) {
            return new Fragment(
                    h2Alias.isEmpty() ? column.h2Name : h2Alias + "." + column.h2Name,
                    column.type,
                    column.nullable,
                    column.identity,
                    Fragment.Kind.COLUMN,
                    null);
        }
    }

    private final @Nullable Scope outer;
    private final List<Source> sources = new ArrayList<>();

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    void add(Source source) {
        sources.add(source);
    }

    List<Source> sources() {
        return sources;
    }

    Fragment resolve(List<String> qualifier, String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Fragment found = scope.find(qualifier, name);
            if (found != null) {
                return found;
            }
        }
        if (qualifier.isEmpty()) {
            throw SqlError.invalidColumn(name);
        }
        if (knows(qualifier.getLast())) {
            throw SqlError.invalidColumn(name);
        }
        String text =
                "The multi-part identifier \"" + String.join(".", qualifier) + "." + name + "\" could not be bound.";
        throw new SqlError(4104, 16, 1, SqlError.Effect.SCOPE, text);
    }

    private @Nullable Fragment find(List<String> qualifier, String name) {
        Fragment found = null;
        for (Source source : sources) {
            if (!qualifier.isEmpty() && !source.name.equalsIgnoreCase(qualifier.getLast())) {
                continue;
            }
            for (SourceColumn column : source.columns) {
                if (column.name.equalsIgnoreCase(name)) {
                    if (found != null) {
                        throw new SqlError(209, 16, 1, SqlError.Effect.SCOPE, "Ambiguous column name '" + name + "'.");
                    }
                    found = source.column(column);
                }
            }
        }
        return found;
    }

    private boolean knows(String sourceName) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            for (Source source : scope.sources) {
                if (source.name.equalsIgnoreCase(sourceName)) {
                    return true;
                }
            }
        }
        return false;
    }
}
