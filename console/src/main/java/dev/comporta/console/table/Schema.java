package dev.comporta.console.table;

import java.util.Optional;

/** The schemas, with SQL Server's own numbers for them. */
public enum Schema {
    DBO(1, Catalog.DBO),
    INFORMATION_SCHEMA(3, "INFORMATION_SCHEMA"),
    SYS(4, View.SYS);

    private final int id;
    private final String text;

    Schema(int id, String text) {
        this.id = id;
        this.text = text;
    }

    public int id() {
        return id;
    }

    public String text() {
        return text;
    }

    public static Optional<Schema> named(String name) {
        for (Schema schema : values()) {
            if (schema.text.equalsIgnoreCase(name)) {
                return Optional.of(schema);
            }
        }
        return Optional.empty();
    }
}
