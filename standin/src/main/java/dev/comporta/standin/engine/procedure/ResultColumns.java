package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.type.Types;
import java.util.Arrays;
import java.util.List;

/** The columns of a procedure's result, from T-SQL declarations. */
final class ResultColumns {
    private static final String NOT_NULL = " not null";

    private ResultColumns() {}

    /** @param declarations such as {@code TABLE_OWNER sysname, KEY_SEQ smallint} */
    static List<Column> of(String declarations) {
        return Arrays.stream(declarations.strip().split(",\\s+", -1))
                .map(ResultColumns::column)
                .toList();
    }

    private static Column column(String declaration) {
        boolean nullable = !declaration.endsWith(NOT_NULL);
        String[] parts = declaration.replace(NOT_NULL, "").split(" ", 2);
        return new Column(parts[0], type(parts[1]), nullable, false);
    }

    private static SqlType type(String text) {
        String[] parts = text.split("[()]", -1);
        return switch (parts[0]) {
            case "bit" -> Types.BIT;
            case "tinyint" -> Types.TINYINT;
            case "smallint" -> Types.SMALLINT;
            case "int" -> Types.INT;
            case "sysname" -> Types.SYSNAME;
            case "varchar" -> Types.varchar(Integer.parseInt(parts[1]));
            case "nvarchar" -> Types.nvarchar(Integer.parseInt(parts[1]));
            default -> throw new IllegalArgumentException(text);
        };
    }
}
