package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.function.LikePattern;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.store.Constraint;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.view.ObjectViews;
import dev.comporta.standin.engine.view.SystemViews;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The catalog procedures that drivers call for their metadata. */
public final class CatalogProcedures {
    private CatalogProcedures() {}

    public static void addTo(Map<String, SystemCall.Body> procedures) {
        procedures.put("sp_tables", CatalogProcedures::tables);
        procedures.put("sp_columns", ColumnProcedure::run);
        procedures.put("sp_columns_100", ColumnProcedure::run100);
        procedures.put("sp_columns_90", ColumnProcedure::run);
        procedures.put("sp_describe_undeclared_parameters", UndeclaredParameters::run);
        procedures.put("sp_fkeys", ForeignKeyProcedure::run);
        procedures.put("sp_pkeys", CatalogProcedures::primaryKeys);
        procedures.put("sp_statistics", CatalogProcedures::statistics);
        procedures.put("sp_statistics_100", CatalogProcedures::statistics);
        procedures.put("sp_databases", CatalogProcedures::databases);
        procedures.put("sp_server_info", CatalogProcedures::serverInfo);
        procedures.put("sp_stored_procedures", CatalogProcedures::storedProcedures);
        procedures.put("sp_sproc_columns", CatalogProcedures::procedureColumns);
        procedures.put("sp_sproc_columns_100", CatalogProcedures::procedureColumns);
        procedures.put("sp_datatype_info", TypeInfoProcedure::run);
        procedures.put("sp_datatype_info_100", TypeInfoProcedure::run);
        procedures.put("sp_datatype_info_90", TypeInfoProcedure::run);
    }

    static Database database(SystemCall call, String qualifier) {
        Database database =
                qualifier.isEmpty() ? null : call.session().engine().catalog().database(qualifier);
        return database != null
                ? database
                : call.session().engine().catalog().require(call.session().database());
    }

    /** An empty pattern matches everything; others are LIKE patterns. */
    static boolean matches(String pattern, String name) {
        return pattern.isEmpty() || LikePattern.matches(name, pattern, "\\");
    }

    private static int tables(SystemCall call) {
        String wanted = call.text(0, "@table_name");
        String owner = call.text(1, "@table_owner");
        String types = call.text(3, "@table_type").toUpperCase(Locale.ROOT);
        Database database = database(call, call.text(2, "@table_qualifier"));
        List<Column> columns = ResultColumns.of("""
                TABLE_QUALIFIER sysname, TABLE_OWNER sysname, TABLE_NAME sysname, TABLE_TYPE varchar(32),
                REMARKS varchar(254)
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Table table : database.tables()) {
            boolean listed = matches(wanted, table.name()) && matches(owner, table.schema());
            if (listed && (types.isEmpty() || types.contains("'TABLE'"))) {
                rows.add(new @Nullable Object[] {database.name(), table.schema(), table.name(), "TABLE", null});
            }
        }
        for (Relation.View view : database.views()) {
            boolean listed = matches(wanted, view.name()) && matches(owner, view.schema());
            if (listed && (types.isEmpty() || types.contains("'VIEW'"))) {
                rows.add(new @Nullable Object[] {database.name(), view.schema(), view.name(), "VIEW", null});
            }
        }
        return call.result(columns, rows);
    }

    private static int primaryKeys(SystemCall call) {
        String wanted = call.text(0, "@table_name");
        Database database = database(call, call.text(2, "@table_qualifier"));
        List<Column> columns = ResultColumns.of("""
                TABLE_QUALIFIER sysname, TABLE_OWNER sysname, TABLE_NAME sysname, COLUMN_NAME sysname,
                KEY_SEQ smallint, PK_NAME sysname
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Table table : database.tables()) {
            Constraint key = table.primaryKey();
            for (int i = 0;
                    key != null
                            && table.name().equalsIgnoreCase(wanted)
                            && i < key.columns().size();
                    i++) {
                rows.add(new @Nullable Object[] {
                    database.name(), table.schema(), table.name(), key.columns().get(i), (short) (i + 1), key.name()
                });
            }
        }
        return call.result(columns, rows);
    }

    private static int statistics(SystemCall call) {
        String wanted = call.text(0, "@table_name");
        Database database = database(call, call.text(2, "@table_qualifier"));
        List<Column> columns = ResultColumns.of("""
                TABLE_QUALIFIER sysname, TABLE_OWNER sysname, TABLE_NAME sysname, NON_UNIQUE smallint,
                INDEX_QUALIFIER sysname, INDEX_NAME sysname, TYPE smallint, SEQ_IN_INDEX smallint,
                COLUMN_NAME sysname, COLLATION varchar(1), CARDINALITY int, PAGES int,
                FILTER_CONDITION varchar(128)
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Table table : database.tables()) {
            if (table.name().equalsIgnoreCase(wanted)) {
                table.constraints().stream()
                        .filter(ObjectViews::isIndex)
                        .forEach(index -> indexRows(database, table, index, rows));
            }
        }
        return call.result(columns, rows);
    }

    private static void indexRows(Database database, Table table, Constraint index, List<@Nullable Object[]> rows) {
        boolean clustered = index.kind() == Constraint.Kind.PRIMARY_KEY;
        for (int i = 0; i < index.columns().size(); i++) {
            rows.add(new @Nullable Object[] {
                database.name(),
                table.schema(),
                table.name(),
                (short) (index.isKey() ? 0 : 1),
                table.name(),
                index.name(),
                (short) (clustered ? 1 : 3),
                (short) (i + 1),
                index.columns().get(i),
                "A",
                null,
                null,
                null
            });
        }
    }

    private static int databases(SystemCall call) {
        List<Column> columns = ResultColumns.of("""
                DATABASE_NAME sysname, DATABASE_SIZE int, REMARKS varchar(254)
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Database database : call.session().engine().catalog().databases()) {
            rows.add(new @Nullable Object[] {database.name(), 0, null});
        }
        return call.result(columns, rows);
    }

    private static int serverInfo(SystemCall call) {
        List<Column> columns = ResultColumns.of("""
                attribute_id int, attribute_name varchar(60), attribute_value varchar(255)
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        rows.add(new @Nullable Object[] {1, "DBMS_NAME", "Microsoft SQL Server"});
        rows.add(new @Nullable Object[] {2, "DBMS_VER", "Microsoft SQL Server 2022 - " + EngineSettings.PRODUCT_VERSION
        });
        rows.add(new @Nullable Object[] {10, "OWNER_TERM", "owner"});
        rows.add(new @Nullable Object[] {11, "TABLE_TERM", "table"});
        rows.add(new @Nullable Object[] {12, "MAX_OWNER_NAME_LENGTH", "128"});
        rows.add(new @Nullable Object[] {13, "TABLE_LENGTH", "128"});
        rows.add(new @Nullable Object[] {16, "IDENTIFIER_CASE", "MIXED"});
        rows.add(new @Nullable Object[] {18, "COLLATION_SEQ", "charset=iso_1 collation=" + SystemViews.COLLATION});
        rows.add(new @Nullable Object[] {500, "SYS_SPROC_VERSION", EngineSettings.PRODUCT_VERSION});
        int wanted = call.integer(0, "@attribute_id", 0);
        if (wanted != 0) {
            rows.removeIf(row -> !Integer.valueOf(wanted).equals(row[0]));
        }
        return call.result(columns, rows);
    }

    private static int storedProcedures(SystemCall call) {
        String wanted = call.text(0, "@sp_name");
        Database database = database(call, call.text(2, "@sp_qualifier"));
        List<Column> columns = ResultColumns.of("""
                PROCEDURE_QUALIFIER sysname, PROCEDURE_OWNER sysname, PROCEDURE_NAME nvarchar(134),
                NUM_INPUT_PARAMS int, NUM_OUTPUT_PARAMS int, NUM_RESULT_SETS int, REMARKS varchar(254),
                PROCEDURE_TYPE smallint
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Procedure procedure : database.procedures()) {
            if (matches(wanted, procedure.name())) {
                rows.add(new @Nullable Object[] {
                    database.name(), procedure.schema(), procedure.name() + ";1", -1, -1, -1, null, (short) 2
                });
            }
        }
        return call.result(columns, rows);
    }

    private static int procedureColumns(SystemCall call) {
        String wanted = call.text(0, "@procedure_name");
        Database database = database(call, call.text(2, "@procedure_qualifier"));
        return call.result(ProcedureColumns.COLUMNS, ProcedureColumns.rows(database, name -> matches(wanted, name)));
    }
}
