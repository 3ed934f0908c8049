package dev.comporta.console.eval.scalar;

import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.sql.TypeName;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Values;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** T-SQL's type names, and the common type of several expressions. */
public final class Types {
    private static final Map<String, ColumnType> BY_NAME = new TreeMap<>();

    static {
        put(ColumnType.BIT, "bit");
        put(ColumnType.INT, "int", "integer", "smallint", "tinyint");
        put(ColumnType.BIGINT, "bigint");
        put(ColumnType.FLOAT, "float", "real", "decimal", "numeric", "dec", "money", "smallmoney");
        put(ColumnType.NVARCHAR, "nvarchar", "varchar", "nchar", "char", "text", "ntext", "sysname", "sql_variant");
        put(ColumnType.NVARCHAR, "uniqueidentifier", "xml");
        put(ColumnType.DATETIME2, "datetime2", "datetime", "smalldatetime", "datetimeoffset", "date");
    }

    private Types() {}

    private static void put(ColumnType type, String... names) {
        for (String name : names) {
            BY_NAME.put(name, type);
        }
    }

    public static ColumnType of(TypeName name) {
        ColumnType type = BY_NAME.get(name.name());
        if (type == null) {
            String nearest = NearestName.among(BY_NAME.keySet(), name.name())
                    .map(near -> " Did you mean " + near + "?")
                    .orElse("");
            throw new SqlError(243, name.at(), "Type " + name.name() + " is not a defined system type." + nearest);
        }
        return type;
    }

    /** Null when all are an untyped NULL. */
    public static @Nullable ColumnType common(List<Bound> alternatives) {
        ColumnType common = null;
        for (Bound alternative : alternatives) {
            ColumnType type = alternative.type();
            if (type != null) {
                common = common == null ? type : Values.common(common, type);
            }
        }
        return common;
    }
}
