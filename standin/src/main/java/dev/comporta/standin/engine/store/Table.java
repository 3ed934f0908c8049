package dev.comporta.standin.engine.store;

import dev.comporta.standin.engine.ast.TableElement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table of the catalog. H2 holds its rows under a name made from the object id, so that a table that was dropped and created
 * again, or two sessions' temporary tables with one name, never conflict. Any thread; changes are rare.
 */
public final class Table implements Relation {
    private final int id;
    private final String database;
    private final String schema;
    private final String name;
    private final LocalDateTime created;
    private volatile List<TableColumn> columns;
    private volatile List<Constraint> constraints = List.of();
    private @Nullable Long lastIdentity;

    public Table(
            int id, String database, String schema, String name, List<TableColumn> columns, LocalDateTime created) {
        this.id = id;
        this.database = database;
        this.schema = schema;
        this.name = name;
        this.columns = List.copyOf(columns);
        this.created = created;
    }

    public int id() {
        return id;
    }

    public String database() {
        return database;
    }

    public String schema() {
        return schema;
    }

    public String name() {
        return name;
    }

    public LocalDateTime created() {
        return created;
    }

    public String h2Name() {
        return "\"t" + id + "\"";
    }

    public List<TableColumn> columns() {
        return columns;
    }

    public void replaceColumns(List<TableColumn> changed) {
        columns = List.copyOf(changed);
    }

    public @Nullable TableColumn column(String wanted) {
        return first(columns, column -> column.name().equalsIgnoreCase(wanted));
    }

    public @Nullable TableColumn identityColumn() {
        return first(columns, column -> column.identity() != null);
    }

    public List<Constraint> constraints() {
        return constraints;
    }

    public void replaceConstraints(List<Constraint> changed) {
        constraints = List.copyOf(changed);
    }

    public void add(Constraint constraint) {
        List<Constraint> changed = new ArrayList<>(constraints);
        changed.add(constraint);
        constraints = List.copyOf(changed);
    }

    public @Nullable Constraint constraint(String wanted) {
        return first(constraints, constraint -> constraint.name().equalsIgnoreCase(wanted));
    }

    public @Nullable Constraint primaryKey() {
        return first(constraints, constraint -> constraint.kind() == Constraint.Kind.PRIMARY_KEY);
    }

    private static <T> @Nullable T first(List<T> all, Predicate<T> wanted) {
        for (T one : all) {
            if (wanted.test(one)) {
                return one;
            }
        }
        return null;
    }

    /** The next identity value. A rollback does not return it, as in SQL Server. */
    public synchronized long nextIdentity() {
        TableElement.Identity identity = identity();
        long next = lastIdentity == null ? identity.seed() : lastIdentity + identity.increment();
        lastIdentity = next;
        return next;
    }

    /** An explicit value under IDENTITY_INSERT advances the counter if it is beyond it. */
    public synchronized void sawIdentity(long value) {
        long increment = identity().increment();
        if (lastIdentity == null || (increment > 0 ? value > lastIdentity : value < lastIdentity)) {
            lastIdentity = value;
        }
    }

    public synchronized @Nullable Long lastIdentity() {
        return lastIdentity;
    }

    /** DBCC CHECKIDENT's reseed, or null for the state before any row. */
    public synchronized void reseed(@Nullable Long value) {
        lastIdentity = value;
    }

    private TableElement.Identity identity() {
        TableColumn column = identityColumn();
        TableElement.Identity identity = column == null ? null : column.identity();
        if (identity == null) {
            throw new IllegalStateException("no identity column in " + name);
        }
        return identity;
    }

    static String key(String schema, String name) {
        return (schema + "." + name).toLowerCase(Locale.ROOT);
    }
}
