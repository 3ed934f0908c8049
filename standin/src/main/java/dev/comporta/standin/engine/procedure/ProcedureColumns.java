package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.type.Types;
import dev.comporta.standin.engine.view.TypeCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The result of sp_sproc_columns: the return status and the parameters of procedures. */
final class ProcedureColumns {
    static final List<Column> COLUMNS = ResultColumns.of("""
            PROCEDURE_QUALIFIER sysname, PROCEDURE_OWNER sysname, PROCEDURE_NAME nvarchar(134),
            COLUMN_NAME sysname, COLUMN_TYPE smallint, DATA_TYPE smallint, TYPE_NAME sysname, PRECISION int,
            LENGTH int, SCALE smallint, RADIX smallint, NULLABLE smallint, REMARKS varchar(254),
            COLUMN_DEF nvarchar(4000), SQL_DATA_TYPE smallint, SQL_DATETIME_SUB smallint, CHAR_OCTET_LENGTH int,
            ORDINAL_POSITION int, IS_NULLABLE varchar(254), SS_DATA_TYPE tinyint
            """);

    private static final int INPUT = 1;
    private static final int INPUT_OUTPUT = 2;
    private static final int RETURN_VALUE = 5;

    private ProcedureColumns() {}

    static List<@Nullable Object[]> rows(Database database, Predicate<String> wanted) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Procedure procedure : database.procedures()) {
            if (!wanted.test(procedure.name())) {
                continue;
            }
            rows.add(row(database, procedure, "@RETURN_VALUE", Types.INT, RETURN_VALUE, 0));
            for (int i = 0; i < procedure.parameters().size(); i++) {
                Statement.ParameterDef parameter = procedure.parameters().get(i);
                int kind = parameter.output() ? INPUT_OUTPUT : INPUT;
                rows.add(row(database, procedure, parameter.name(), parameter.type(), kind, i + 1));
            }
        }
        return rows;
    }

    private static @Nullable Object[] row(
            Database database, Procedure procedure, String name, SqlType type, int kind, int ordinal) {
        int odbc = TypeCatalog.odbcType(type);
        boolean octets = Types.isText(type) || Types.isBinary(type);
        return new @Nullable Object[] {
            database.name(),
            procedure.schema(),
            procedure.name() + ";1",
            name,
            (short) kind,
            (short) odbc,
            Types.name(type),
            TypeCatalog.columnSize(type),
            TypeCatalog.bufferLength(type),
            Types.isNumber(type) || Types.isTemporal(type) ? (short) TypeCatalog.scale(type) : null,
            Types.isNumber(type) ? (short) 10 : null,
            (short) (kind == RETURN_VALUE ? 0 : 1),
            null,
            null,
            (short) TypeCatalog.odbcVerboseType(type),
            TypeCatalog.datetimeSub(type),
            octets ? TypeCatalog.maxLength(type) : null,
            ordinal,
            kind == RETURN_VALUE ? "NO" : "YES",
            (short) type.name().id()
        };
    }
}
