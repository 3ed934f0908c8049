package dev.comporta.standin.engine.store;

import java.util.List;
import java.util.Locale;

/**
 * A key, check, foreign key or index of a table.
 *
 * @param id its object id, from which its name in H2 is made
 * @param target the referenced table's id, for a foreign key; otherwise 0
 */
public record Constraint(
        int id, String name, Kind kind, List<String> columns, int target, List<String> targetColumns, String text) {
    public enum Kind {
        PRIMARY_KEY,
        UNIQUE,
        CHECK,
        FOREIGN_KEY,
        UNIQUE_INDEX,
        INDEX;

        /** The kind in the words of messages. */
        public String words() {
            return name().replace('_', ' ').toUpperCase(Locale.ROOT);
        }
    }

    public boolean isKey() {
        return kind == Kind.PRIMARY_KEY || kind == Kind.UNIQUE || kind == Kind.UNIQUE_INDEX;
    }

    public String h2Name() {
        return "\"c" + id + "\"";
    }
}
