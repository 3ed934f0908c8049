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

/** What sp_sproc_columns answers: the return status and the parameters of procedures. */
final class ProcedureColumns {
    static final List<Column> COLUMNS = List.of(
            column("PROCEDURE_QUALIFIER", Types.SYSNAME),
            column("PROCEDURE_OWNER", Types.SYSNAME),
            column("PROCEDURE_NAME", Types.nvarchar(134)),
            column("COLUMN_NAME", Types.SYSNAME),
            column("COLUMN_TYPE", Types.SMALLINT),
            column("DATA_TYPE", Types.SMALLINT),
            column("TYPE_NAME", Types.SYSNAME),
            column("PRECISION", Types.INT),
            column("LENGTH", Types.INT),
            column("SCALE", Types.SMALLINT),
            column("RADIX", Types.SMALLINT),
            column("NULLABLE", Types.SMALLINT),
            column("REMARKS", Types.varchar(254)),
            column("COLUMN_DEF", Types.nvarchar(4000)),
            column("SQL_DATA_TYPE", Types.SMALLINT),
            column("SQL_DATETIME_SUB", Types.SMALLINT),
            column("CHAR_OCTET_LENGTH", Types.INT),
            column("ORDINAL_POSITION", Types.INT),
            column("IS_NULLABLE", Types.varchar(254)),
            column("SS_DATA_TYPE", Types.TINYINT));

    private static final int INPUT = 1;
    private static final int INPUT_OUTPUT = 2;
    private static final int RETURN_VALUE = 5;

    private ProcedureColumns() {}

    private static Column column(String name, SqlType type) {
        return new Column(name, type, true, false);
    }

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
            (short) TypeCatalog.id(type.name())
        };
    }
}
