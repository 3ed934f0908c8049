package dev.comporta.console.system;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The catalog procedures that drivers call. Names with a version, such as {@code sp_columns_100}, mean the same. Procedures
 * about things that a console does not have (keys, procedures, privileges) return no rows.
 */
public final class Procedures {
    private static final String TABLE = "TABLE_QUALIFIER nvarchar, TABLE_OWNER nvarchar, TABLE_NAME nvarchar";
    private static final String COLUMN_TAIL =
            " DATA_TYPE int, TYPE_NAME nvarchar, PRECISION int, LENGTH int, SCALE int,"
                    + " RADIX int, NULLABLE int, REMARKS nvarchar, COLUMN_DEF nvarchar, SQL_DATA_TYPE int,"
                    + " SQL_DATETIME_SUB int, CHAR_OCTET_LENGTH int, ORDINAL_POSITION int, IS_NULLABLE nvarchar";

    private static final Map<String, String> EMPTY = Map.of(
            "sp_pkeys", TABLE + ", COLUMN_NAME nvarchar, KEY_SEQ int, PK_NAME nvarchar",
            "sp_fkeys",
                    "PKTABLE_QUALIFIER nvarchar, PKTABLE_OWNER nvarchar, PKTABLE_NAME nvarchar, PKCOLUMN_NAME nvarchar,"
                            + " FKTABLE_QUALIFIER nvarchar, FKTABLE_OWNER nvarchar, FKTABLE_NAME nvarchar,"
                            + " FKCOLUMN_NAME nvarchar, KEY_SEQ int, UPDATE_RULE int, DELETE_RULE int,"
                            + " FK_NAME nvarchar, PK_NAME nvarchar, DEFERRABILITY int",
            "sp_statistics",
                    TABLE + ", NON_UNIQUE int, INDEX_QUALIFIER nvarchar, INDEX_NAME nvarchar, TYPE int,"
                            + " SEQ_IN_INDEX int, COLUMN_NAME nvarchar, COLLATION nvarchar, CARDINALITY int, PAGES int,"
                            + " FILTER_CONDITION nvarchar",
            "sp_special_columns",
                    "SCOPE int, COLUMN_NAME nvarchar, DATA_TYPE int, TYPE_NAME nvarchar, PRECISION int, LENGTH int,"
                            + " SCALE int, PSEUDO_COLUMN int",
            "sp_stored_procedures",
                    "PROCEDURE_QUALIFIER nvarchar, PROCEDURE_OWNER nvarchar, PROCEDURE_NAME nvarchar,"
                            + " NUM_INPUT_PARAMS int, NUM_OUTPUT_PARAMS int, NUM_RESULT_SETS int, REMARKS nvarchar,"
                            + " PROCEDURE_TYPE int",
            "sp_sproc_columns",
                    "PROCEDURE_QUALIFIER nvarchar, PROCEDURE_OWNER nvarchar, PROCEDURE_NAME nvarchar,"
                            + " COLUMN_NAME nvarchar, COLUMN_TYPE int," + COLUMN_TAIL,
            "sp_table_privileges",
                    TABLE + ", GRANTOR nvarchar, GRANTEE nvarchar, PRIVILEGE nvarchar, IS_GRANTABLE nvarchar",
            "sp_column_privileges",
                    TABLE + ", COLUMN_NAME nvarchar, GRANTOR nvarchar, GRANTEE nvarchar, PRIVILEGE nvarchar,"
                            + " IS_GRANTABLE nvarchar");

    private final SystemCatalog system;
    private final Map<String, Function<Arguments, Table>> byName = new TreeMap<>();

    public Procedures(SystemCatalog system) {
        this.system = system;
        EMPTY.forEach((name, columns) -> {
            Table nothing = new Table(Columns.of(columns), List.of());
            byName.put(name, _ -> nothing);
        });
        byName.put("sp_tables", this::tables);
        byName.put("sp_columns", arguments -> columns(arguments, false));
        byName.put("sp_databases", _ -> databases());
        byName.put("sp_datatype_info", _ -> typeInfo());
        byName.put("sp_configure", _ -> configuration());
    }

    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    /** Empty when no procedure has the name. */
    public Optional<Table> call(String name, Arguments arguments) {
        int version = name.lastIndexOf('_');
        boolean versioned = version > 2 && name.substring(version + 1).matches("[0-9]{2,3}");
        String plain = versioned ? name.substring(0, version) : name;
        if (versioned && plain.equals("sp_columns")) {
            return Optional.of(columns(arguments, true));
        }
        return Optional.ofNullable(byName.get(plain)).map(procedure -> procedure.apply(arguments));
    }

    private Table tables(Arguments arguments) {
        String types = arguments.text(3, "@table_type");
        List<Row> rows = new ArrayList<>();
        if (types == null || types.contains("'VIEW'") || types.contains("''VIEW''")) {
            matching(arguments)
                    .forEach(object -> rows.add(Row.of(
                            system.catalog().database(),
                            object.schema().text(),
                            object.view().name(),
                            "VIEW",
                            object.view().description())));
        }
        return new Table(Columns.of(TABLE + ", TABLE_TYPE nvarchar, REMARKS nvarchar"), rows);
    }

    private List<CatalogObject> matching(Arguments arguments) {
        String database = arguments.text(2, "@table_qualifier");
        if (database != null && !database.equalsIgnoreCase(system.catalog().database())) {
            return List.of();
        }
        return system.objects().stream()
                .filter(object -> arguments.matches(
                                0, "@table_name", object.view().name())
                        && arguments.matches(1, "@table_owner", object.schema().text()))
                .sorted(Comparator.comparing(
                                (CatalogObject object) -> object.schema().text())
                        .thenComparing(object -> object.view().name()))
                .toList();
    }

    private Table columns(Arguments arguments, boolean versioned) {
        String extra = versioned
                ? ", SS_IS_SPARSE int, SS_IS_COLUMN_SET int, SS_IS_COMPUTED int, SS_IS_IDENTITY int,"
                        + " SS_UDT_CATALOG_NAME nvarchar, SS_UDT_SCHEMA_NAME nvarchar,"
                        + " SS_UDT_ASSEMBLY_TYPE_NAME nvarchar, SS_XML_SCHEMACOLLECTION_CATALOG_NAME nvarchar,"
                        + " SS_XML_SCHEMACOLLECTION_SCHEMA_NAME nvarchar, SS_XML_SCHEMACOLLECTION_NAME nvarchar"
                : "";
        List<Row> rows = new ArrayList<>();
        for (CatalogObject object : matching(arguments)) {
            int place = 0;
            for (Column column : object.view().columns()) {
                place++;
                if (arguments.matches(3, "@column_name", column.name())) {
                    rows.add(column(object, column, place, versioned));
                }
            }
        }
        return new Table(
                Columns.of(TABLE + ", COLUMN_NAME nvarchar," + COLUMN_TAIL + extra + ", SS_DATA_TYPE int"), rows);
    }

    private Row column(CatalogObject object, Column column, int place, boolean versioned) {
        TypeFacts type = TypeFacts.of(column.type());
        Row row = Row.of(
                        system.catalog().database(),
                        object.schema().text(),
                        object.view().name(),
                        column.name())
                .and(type.odbc(), type.name(), type.size(), type.length(), type.isText() ? null : type.scale())
                .and(column.type().isNumeric() ? (Integer) 10 : null, 1)
                .and(column.description().isEmpty() ? null : column.description(), null)
                .and(column.type() == ColumnType.DATETIME2 ? 9 : type.odbc())
                .and(column.type() == ColumnType.DATETIME2 ? (Integer) 3 : null, type.isText() ? type.length() : null)
                .and(place, "YES");
        Row sparse = versioned ? row.and(0, 0, 0, 0, null, null, null, null, null, null) : row;
        return sparse.and(type.wire());
    }

    private Table databases() {
        return new Table(
                Columns.of("DATABASE_NAME nvarchar, DATABASE_SIZE int, REMARKS nvarchar"),
                List.of(Row.of(system.catalog().database(), 0, null)));
    }

    private static Table typeInfo() {
        List<Row> rows = new ArrayList<>();
        for (ColumnType each : ColumnType.values()) {
            TypeFacts type = TypeFacts.of(each);
            boolean quoted = type.isText() || each == ColumnType.DATETIME2;
            @Nullable Integer zero = each.isNumeric() ? 0 : null;
            rows.add(Row.of(type.name(), type.odbc(), type.size())
                    .and(quoted ? (type.isText() ? "N'" : "'") : null, quoted ? "'" : null)
                    .and(type.isText() ? "max length" : null, 1, 0, 3)
                    .and(zero, 0, zero, type.name(), zero, zero, type.odbc(), null)
                    .and(each.isNumeric() ? (Integer) 10 : null, null, type.systemId()));
        }
        return new Table(
                Columns.of("TYPE_NAME nvarchar, DATA_TYPE int, PRECISION int, LITERAL_PREFIX nvarchar,"
                        + " LITERAL_SUFFIX nvarchar, CREATE_PARAMS nvarchar, NULLABLE int, CASE_SENSITIVE int,"
                        + " SEARCHABLE int, UNSIGNED_ATTRIBUTE int, MONEY int, AUTO_INCREMENT int,"
                        + " LOCAL_TYPE_NAME nvarchar, MINIMUM_SCALE int, MAXIMUM_SCALE int, SQL_DATA_TYPE int,"
                        + " SQL_DATETIME_SUB int, NUM_PREC_RADIX int, INTERVAL_PRECISION int, USERTYPE int"),
                rows);
    }

    private static Table configuration() {
        return new Table(
                Columns.of("name nvarchar, minimum int, maximum int, config_value int, run_value int"),
                List.of(Row.of("user connections", 0, 32767, 0, 0)));
    }
}
