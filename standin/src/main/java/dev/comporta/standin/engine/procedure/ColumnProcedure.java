package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Types;
import dev.comporta.standin.engine.view.TypeCatalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** sp_columns, and sp_columns_100 with ten more columns before the last. */
final class ColumnProcedure {
    private static final List<Column> COMMON = ResultColumns.of("""
            TABLE_QUALIFIER sysname, TABLE_OWNER sysname, TABLE_NAME sysname, COLUMN_NAME sysname,
            DATA_TYPE smallint, TYPE_NAME sysname, PRECISION int, LENGTH int, SCALE smallint, RADIX smallint,
            NULLABLE smallint, REMARKS varchar(254), COLUMN_DEF nvarchar(4000), SQL_DATA_TYPE smallint,
            SQL_DATETIME_SUB smallint, CHAR_OCTET_LENGTH int, ORDINAL_POSITION int, IS_NULLABLE varchar(254)
            """);
    private static final List<Column> OF_100 = ResultColumns.of("""
            SS_IS_SPARSE smallint, SS_IS_COLUMN_SET smallint, SS_IS_COMPUTED smallint, SS_IS_IDENTITY smallint,
            SS_UDT_CATALOG_NAME sysname, SS_UDT_SCHEMA_NAME sysname, SS_UDT_ASSEMBLY_TYPE_NAME nvarchar(4000),
            SS_XML_SCHEMACOLLECTION_CATALOG_NAME sysname, SS_XML_SCHEMACOLLECTION_SCHEMA_NAME sysname,
            SS_XML_SCHEMACOLLECTION_NAME sysname
            """);
    private static final List<Column> LAST = ResultColumns.of("SS_DATA_TYPE tinyint");

    private ColumnProcedure() {}

    static int run(SystemCall call) {
        return run(call, false);
    }

    static int run100(SystemCall call) {
        return run(call, true);
    }

    private static int run(SystemCall call, boolean of100) {
        String wanted = call.text(0, "@table_name");
        String owner = call.text(1, "@table_owner");
        Database database = CatalogProcedures.database(call, call.text(2, "@table_qualifier"));
        String pattern = call.text(3, "@column_name");
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Table table : database.tables()) {
            boolean listed =
                    CatalogProcedures.matches(wanted, table.name()) && CatalogProcedures.matches(owner, table.schema());
            for (int i = 0; listed && i < table.columns().size(); i++) {
                TableColumn column = table.columns().get(i);
                if (CatalogProcedures.matches(pattern, column.name())) {
                    rows.add(row(database, table, column, i + 1, of100));
                }
            }
        }
        List<Column> columns = new ArrayList<>(COMMON);
        if (of100) {
            columns.addAll(OF_100);
        }
        columns.addAll(LAST);
        return call.result(columns, rows);
    }

    private static @Nullable Object[] row(
            Database database, Table table, TableColumn column, int ordinal, boolean of100) {
        SqlType type = column.type();
        boolean isNumber = Types.isNumber(type);
        boolean octets = Types.isText(type) || Types.isBinary(type);
        boolean scaled = isNumber || Types.isTemporal(type);
        @Nullable
        Object[] common = {
            database.name(),
            table.schema(),
            table.name(),
            column.name(),
            (short) TypeCatalog.odbcType(type),
            Types.name(type) + (column.identity() != null ? " identity" : ""),
            TypeCatalog.columnSize(type),
            TypeCatalog.bufferLength(type),
            scaled && !Types.isApproximate(type) ? (short) TypeCatalog.scale(type) : null,
            isNumber ? (short) (Types.isApproximate(type) ? 2 : 10) : null,
            (short) (column.nullable() ? 1 : 0),
            null,
            column.defaultText().isEmpty() ? null : "(" + column.defaultText() + ")",
            (short) TypeCatalog.odbcVerboseType(type),
            TypeCatalog.datetimeSub(type),
            octets ? TypeCatalog.maxLength(type) : null,
            ordinal,
            column.nullable() ? "YES" : "NO"
        };
        @Nullable Object[] row = Arrays.copyOf(common, common.length + (of100 ? OF_100.size() : 0) + 1);
        if (of100) {
            row[common.length] = (short) 0;
            row[common.length + 1] = (short) 0;
            row[common.length + 2] = (short) 0;
            row[common.length + 3] = (short) (column.identity() != null ? 1 : 0);
        }
        row[row.length - 1] = (short) type.name().id();
        return row;
    }
}
