package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.type.Types;
import dev.comporta.standin.engine.view.TypeCatalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** sp_datatype_info: the server's types, as ODBC describes types. msodbcsql calls it on every connect. */
final class TypeInfoProcedure {
    private static final List<Column> COLUMNS = ResultColumns.of("""
            TYPE_NAME sysname, DATA_TYPE smallint, PRECISION int, LITERAL_PREFIX varchar(32),
            LITERAL_SUFFIX varchar(32), CREATE_PARAMS varchar(32), NULLABLE smallint, CASE_SENSITIVE smallint,
            SEARCHABLE smallint, UNSIGNED_ATTRIBUTE smallint, MONEY smallint, AUTO_INCREMENT smallint,
            LOCAL_TYPE_NAME sysname, MINIMUM_SCALE smallint, MAXIMUM_SCALE smallint, SQL_DATA_TYPE smallint,
            SQL_DATETIME_SUB smallint, NUM_PREC_RADIX int, INTERVAL_PRECISION smallint, USERTYPE smallint
            """);

    private TypeInfoProcedure() {}

    static int run(SystemCall call) {
        int wanted = call.integer(0, "@data_type", 0);
        List<SqlType> types = new ArrayList<>();
        for (Name name : Name.values()) {
            SqlType type = largest(name);
            if (wanted == 0 || TypeCatalog.odbcType(type) == wanted) {
                types.add(type);
            }
        }
        types.sort(Comparator.comparingInt(TypeCatalog::odbcType));
        List<@Nullable Object[]> rows = new ArrayList<>();
        types.forEach(type -> rows.add(row(type)));
        return call.result(COLUMNS, rows);
    }

    private static SqlType largest(Name name) {
        return switch (name) {
            case CHAR, VARCHAR, BINARY, VARBINARY -> new SqlType(name, 8000, 0, 0);
            case NCHAR, NVARCHAR -> new SqlType(name, 4000, 0, 0);
            case DECIMAL, NUMERIC -> new SqlType(name, 0, 38, 0);
            case TIME, DATETIME2, DATETIMEOFFSET -> new SqlType(name, 0, 0, 7);
            default -> new SqlType(name, 0, 0, 0);
        };
    }

    private static @Nullable Object[] row(SqlType type) {
        boolean number = Types.isNumber(type);
        boolean text = Types.isText(type);
        boolean binary = Types.isBinary(type);
        boolean quoted = text || Types.isTemporal(type) || type.name() == Name.UNIQUEIDENTIFIER;
        String prefix = binary ? "0x" : Types.isUnicode(type) ? "N'" : Types.isMoney(type) ? "$" : quoted ? "'" : null;
        int odbc = TypeCatalog.odbcType(type);
        boolean exact = Types.isDecimal(type);
        return new @Nullable Object[] {
            Types.name(type),
            (short) odbc,
            TypeCatalog.columnSize(type),
            prefix,
            quoted ? "'" : null,
            exact ? "precision,scale" : type.length() > 0 ? "max length" : type.scale() > 0 ? "scale" : null,
            (short) 1,
            (short) 0,
            (short) (Types.isLarge(type) ? 1 : text ? 3 : 2),
            number ? (short) (type.name() == Name.TINYINT ? 1 : 0) : null,
            (short) (Types.isMoney(type) ? 1 : 0),
            number ? (short) 0 : null,
            Types.name(type),
            number || Types.isTemporal(type) ? (short) 0 : null,
            maximumScale(type),
            (short) TypeCatalog.odbcVerboseType(type),
            TypeCatalog.datetimeSub(type),
            number ? (Integer) (Types.isApproximate(type) ? 2 : 10) : null,
            null,
            (short) 0
        };
    }

    private static @Nullable Object maximumScale(SqlType type) {
        if (Types.isDecimal(type)) {
            return (short) 38;
        }
        return Types.isNumber(type) || Types.isTemporal(type) ? (Object) (short) TypeCatalog.scale(type) : null;
    }
}
