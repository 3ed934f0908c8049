package dev.comporta.console.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The views that can be queried, by name. Names are compared without regard to case. Each view of schema {@code sys} is
 * also found in {@code dbo}, the schema that tools open first, and without a schema.
 */
public final class Catalog {
    public static final String DBO = "dbo";
    /** The first number that SQL Server gives to a user database. */
    public static final int DATABASE_ID = 5;

    private final String database;
    private final Map<String, View> views = new LinkedHashMap<>();
    private final Map<String, View> shown = new LinkedHashMap<>();

    public Catalog(String database, List<View> views) {
        this.database = database;
        for (View view : views) {
            if (this.views.put(key(view.schema(), view.name()), view) != null) {
                throw new IllegalArgumentException("two views are called " + view.fullName());
            }
            if (!view.shownAs().isEmpty() && shown.put(view.shownAs(), view) != null) {
                throw new IllegalArgumentException("two views are shown as " + view.shownAs());
            }
        }
    }

    public String database() {
        return database;
    }

    public List<View> views() {
        return List.copyOf(views.values());
    }

    /** The views that SHOW offers, by the word after SHOW. */
    public Map<String, View> shown() {
        return Map.copyOf(shown);
    }

    /** @param schema empty means {@code sys} */
    public Optional<View> find(String schema, String name) {
        boolean inSys = schema.isEmpty() || schema.equalsIgnoreCase(DBO);
        return Optional.ofNullable(views.get(key(inSys ? View.SYS : schema, name)));
    }

    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (View view : views.values()) {
            names.add(view.schema().equals(View.SYS) ? view.name() : view.fullName());
        }
        return names;
    }

    private static String key(String schema, String name) {
        return (schema + '.' + name).toLowerCase(Locale.ROOT);
    }
}
