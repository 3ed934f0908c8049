package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.Query;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Binds the sources after FROM. Each source writes its columns into its own part of one frame. */
final class SourceBinder {
    /** Produces rows by writing into the frame, then calling back. */
    interface RowSource {
        void each(Frame frame, Runnable row);
    }

    /** The rows of one view, variable or query in parentheses, without the joins around it. */
    private interface Rows {
        List<Row> get(Frame frame);
    }

    private record Leaf(Rows rows, int offset, int width) {}

    private final Surroundings surroundings;
    private final @Nullable Scope outer;
    private final List<Scope.Entry> entries = new ArrayList<>();

    SourceBinder(Surroundings surroundings, @Nullable Scope outer) {
        this.surroundings = surroundings;
        this.outer = outer;
    }

    Scope scope() {
        return new Scope(entries, outer);
    }

    RowSource bind(Query.@Nullable Source source) {
        return switch (source) {
            // SELECT 1: one row without columns.
            case null -> (_, row) -> row.run();
            case Query.Source.Join join -> join(join);
            default -> all(leaf(source), source.at());
        };
    }

    private RowSource all(Leaf leaf, Position at) {
        return (frame, row) -> {
            for (Row next : leaf.rows().get(frame)) {
                surroundings.budget().step(at);
                next.copyTo(frame.values(), leaf.offset());
                row.run();
            }
        };
    }

    private RowSource join(Query.Source.Join join) {
        RowSource first = bind(join.first());
        Leaf second = leaf(join.second());
        Expr on = join.on();
        Bound.Condition condition = on == null ? _ -> true : new Binder(surroundings, scope(), null).condition(on);
        JoinIndex index = on == null ? null : JoinIndex.of(on, scope(), second.offset());
        return (frame, row) -> {
            List<Row> rows = second.rows().get(frame);
            JoinIndex.Lookup lookup = index == null ? _ -> rows : index.over(rows);
            first.each(frame, () -> {
                boolean matched = false;
                for (Row candidate : lookup.candidates(frame)) {
                    surroundings.budget().step(join.at());
                    candidate.copyTo(frame.values(), second.offset());
                    if (Boolean.TRUE.equals(condition.holds(frame))) {
                        matched = true;
                        row.run();
                    }
                }
                if (join.left() && !matched) {
                    clear(frame, second);
                    row.run();
                }
            });
        };
    }

    private static void clear(Frame frame, Leaf leaf) {
        for (int i = 0; i < leaf.width(); i++) {
            frame.values()[leaf.offset() + i] = null;
        }
    }

    private Leaf leaf(Query.Source source) {
        return switch (source) {
            case Query.Source.Named named -> {
                View view = view(named);
                String alias = named.alias();
                List<String> name = alias == null
                        ? List.of(surroundings.catalog().database(), schema(named, view), view.name())
                        : List.of(alias);
                Table table = surroundings.read(view);
                yield add(name, named.at(), table.columns(), _ -> table.rows());
            }
            case Query.Source.Variable variable -> {
                Table table = surroundings.tables().get(variable.name());
                if (table == null) {
                    throw new SqlError(1087, variable.at(), "No table variable " + variable.name() + " is declared.");
                }
                String alias = variable.alias();
                yield add(
                        List.of(alias == null ? variable.name() : alias),
                        variable.at(),
                        table.columns(),
                        _ -> table.rows());
            }
            case Query.Source.Derived derived -> {
                BoundQuery query = new QueryBinder(surroundings, outer).bind(derived.query());
                yield add(List.of(derived.alias()), derived.at(), query.columns(), frame -> rows(query, frame));
            }
            case Query.Source.Join join -> throw new IllegalStateException("a join inside a join at " + join.at());
        };
    }

    private static List<Row> rows(BoundQuery query, Frame frame) {
        Frame around = frame.outer();
        return query.rows(around == null ? Frame.EMPTY : around).stream()
                .map(Row::of)
                .toList();
    }

    private Leaf add(List<String> name, Position at, List<Column> columns, Rows rows) {
        for (Scope.Entry entry : entries) {
            if (entry.name().size() == name.size() && entry.name().getLast().equalsIgnoreCase(name.getLast())) {
                throw new SqlError(
                        1013, at, "Two views in FROM are called '" + name.getLast() + "'. Give one of them an alias.");
            }
        }
        int offset = new Scope(entries, null).width();
        entries.add(new Scope.Entry(name, columns, offset));
        return new Leaf(rows, offset, columns.size());
    }

    private View view(Query.Source.Named named) {
        List<String> name = named.name();
        Catalog catalog = surroundings.catalog();
        if (name.size() == 4) {
            throw new SqlError(7202, named.at(), "The console has no linked servers: '" + name.getFirst() + "'.");
        }
        if (name.size() == 3
                && !name.getFirst().equalsIgnoreCase(catalog.database())
                && !name.getFirst().isEmpty()) {
            throw new SqlError(
                    911,
                    named.at(),
                    "Database '" + name.getFirst() + "' does not exist here. The console's is '" + catalog.database()
                            + "'.");
        }
        String schema = name.size() > 1 ? name.get(name.size() - 2) : "";
        String view = name.getLast();
        return catalog.find(schema, view).orElseThrow(() -> unknown(named, schema, view));
    }

    private static String schema(Query.Source.Named named, View view) {
        int size = named.name().size();
        boolean written = size > 1 && !named.name().get(size - 2).isEmpty();
        return written ? named.name().get(size - 2) : view.schema();
    }

    private SqlError unknown(Query.Source.Named named, String schema, String view) {
        String typed =
                schema.isEmpty() || Catalog.DBO.equals(schema) || View.SYS.equals(schema.toLowerCase(Locale.ROOT))
                        ? view
                        : schema + "." + view;
        String nearest = NearestName.among(surroundings.catalog().names(), typed)
                .map(near -> " Did you mean '" + near + "'?")
                .orElse(" SHOW HELP lists all views.");
        return new SqlError(208, named.at(), "Invalid object name '" + String.join(".", named.name()) + "'." + nearest);
    }
}
