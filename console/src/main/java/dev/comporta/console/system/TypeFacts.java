package dev.comporta.console.system;

import dev.comporta.console.table.ColumnType;

/**
 * A type as SQL Server's catalog describes it.
 *
 * @param systemId {@code system_type_id} in {@code sys.types}
 * @param length in bytes
 * @param odbc the number by which ODBC and JDBC know the type
 * @param wire the type's byte in a TDS column description, 0 for a type that is newer than the procedures that return it
 */
record TypeFacts(String name, int systemId, int length, int precision, int scale, int odbc, int wire) {
    static TypeFacts of(ColumnType type) {
        return switch (type) {
            case BIT -> new TypeFacts("bit", 104, 1, 1, 0, -7, 50);
            case INT -> new TypeFacts("int", 56, 4, 10, 0, 4, 38);
            case BIGINT -> new TypeFacts("bigint", 127, 8, 19, 0, -5, 108);
            case FLOAT -> new TypeFacts("float", 62, 8, 53, 0, 6, 109);
            case NVARCHAR -> new TypeFacts("nvarchar", 231, 8000, 0, 0, -9, 39);
            case DATETIME2 -> new TypeFacts("datetime2", 42, 8, 27, 7, 93, 0);
        };
    }

    boolean isText() {
        return systemId == 231;
    }

    /** The number of characters of a text, or of digits of a number. */
    int size() {
        return isText() ? length / 2 : precision;
    }
}
