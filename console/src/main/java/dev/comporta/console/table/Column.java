package dev.comporta.console.table;

/** @param description one sentence for people, empty for a computed column */
public record Column(String name, ColumnType type, String description) {
    public static Column of(String name, ColumnType type) {
        return new Column(name, type, "");
    }
}
