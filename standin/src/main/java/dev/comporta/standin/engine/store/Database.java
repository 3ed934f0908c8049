package dev.comporta.standin.engine.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** A database: its schemas and their objects. Names ignore case. Any thread. */
public final class Database {
    private final int id;
    private final String name;
    private final ConcurrentSkipListSet<String> schemas = new ConcurrentSkipListSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, Table> tables = new ConcurrentHashMap<>();
    private final Map<String, Relation.View> views = new ConcurrentHashMap<>();
    private final Map<String, Procedure> procedures = new ConcurrentHashMap<>();

    Database(int id, String name) {
        this.id = id;
        this.name = name;
        schemas.add("dbo");
        schemas.add("guest");
    }

    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    public Collection<String> schemas() {
        return schemas;
    }

    public @Nullable Table table(String schema, String table) {
        return tables.get(Table.key(schema, table));
    }

    public List<Table> tables() {
        return tables.values().stream()
                .sorted(Comparator.comparing(Table::name))
                .toList();
    }

    public void add(Table table) {
        tables.put(Table.key(table.schema(), table.name()), table);
    }

    public void remove(Table table) {
        tables.remove(Table.key(table.schema(), table.name()), table);
    }

    public Relation.@Nullable View view(String schema, String view) {
        return views.get(Table.key(schema, view));
    }

    public List<Relation.View> views() {
        return List.copyOf(views.values());
    }

    public void add(Relation.View view) {
        views.put(Table.key(view.schema(), view.name()), view);
    }

    public void remove(Relation.View view) {
        views.remove(Table.key(view.schema(), view.name()));
    }

    public @Nullable Procedure procedure(String schema, String procedure) {
        return procedures.get(Table.key(schema, procedure));
    }

    public List<Procedure> procedures() {
        return List.copyOf(procedures.values());
    }

    public void add(Procedure procedure) {
        procedures.put(Table.key(procedure.schema(), procedure.name()), procedure);
    }

    public void remove(Procedure procedure) {
        procedures.remove(Table.key(procedure.schema(), procedure.name()));
    }

    /** Whether a table, view or procedure has the name; the three share their names. */
    public boolean has(String schema, String object) {
        return table(schema, object) != null || view(schema, object) != null || procedure(schema, object) != null;
    }
}
