package dev.comporta.jdbc.admin;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import dev.comporta.console.value.LikePattern;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The meta data from which tools show a tree of the views and their columns. {@link Faces} returns empty values for the rest. */
abstract class AdminMetaData implements DatabaseMetaData {
    private static final String VIEW = "VIEW";

    private final AdminConnection connection;

    AdminMetaData(AdminConnection connection) {
        this.connection = connection;
    }

    private static ResultSet rows(String columns, List<Row> rows) {
        List<Column> all = new ArrayList<>();
        for (String column : columns.split(", ", -1)) {
            boolean number = column.endsWith("#");
            all.add(Column.of(
                    number ? column.substring(0, column.length() - 1) : column,
                    number ? ColumnType.INT : ColumnType.NVARCHAR));
        }
        return Faces.resultSet(new Table(all, rows), null);
    }

    /** The result for kinds of objects that do not exist here. */
    final ResultSet none() {
        return Faces.resultSet(new Table(List.of(), List.of()), null);
    }

    private String catalog() {
        return connection.database().catalog().database();
    }

    private boolean isHere(@Nullable String catalog) {
        return catalog == null || catalog.isEmpty() || catalog.equalsIgnoreCase(catalog());
    }

    /** JDBC's patterns have no sets of characters; names have no brackets, so it makes no difference. */
    private static boolean matches(@Nullable String pattern, String name) {
        return pattern == null || LikePattern.of(pattern, '\\').matches(name);
    }

    private List<View> views(@Nullable String catalog, @Nullable String schema, @Nullable String name) {
        return isHere(catalog)
                ? connection.database().catalog().views().stream()
                        .filter(view -> matches(schema, view.schema()) && matches(name, view.name()))
                        .toList()
                : List.of();
    }

    @Override
    public final ResultSet getTables(
            @Nullable String catalog, @Nullable String schema, @Nullable String name, String @Nullable [] types) {
        List<Row> rows = new ArrayList<>();
        if (types == null || Arrays.asList(types).contains(VIEW)) {
            for (View view : views(catalog, schema, name)) {
                rows.add(Row.of(
                        catalog(), view.schema(), view.name(), VIEW, view.description(), null, null, null, null, null));
            }
        }
        return rows(
                "TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME,"
                        + " SELF_REFERENCING_COL_NAME, REF_GENERATION",
                rows);
    }

    @Override
    public final ResultSet getColumns(
            @Nullable String catalog, @Nullable String schema, @Nullable String table, @Nullable String name) {
        List<Row> rows = new ArrayList<>();
        for (View view : views(catalog, schema, table)) {
            for (int i = 0; i < view.columns().size(); i++) {
                Column column = view.columns().get(i);
                if (matches(name, column.name())) {
                    rows.add(row(view, column, i + 1));
                }
            }
        }
        return rows(
                "TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE#, TYPE_NAME, COLUMN_SIZE#, BUFFER_LENGTH#,"
                        + " DECIMAL_DIGITS#, NUM_PREC_RADIX#, NULLABLE#, REMARKS, COLUMN_DEF, SQL_DATA_TYPE#,"
                        + " SQL_DATETIME_SUB#, CHAR_OCTET_LENGTH#, ORDINAL_POSITION#, IS_NULLABLE, SCOPE_CATALOG,"
                        + " SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE#, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN",
                rows);
    }

    private Row row(View view, Column column, int place) {
        int size = Values.size(column.type());
        return Row.of(
                catalog(),
                view.schema(),
                view.name(),
                column.name(),
                Values.jdbcType(column.type()),
                column.type().name(),
                size,
                null,
                column.type() == ColumnType.DATETIME2 ? 7 : null,
                column.type().isNumeric() ? 10 : null,
                columnNullable,
                column.description(),
                null,
                null,
                null,
                column.type() == ColumnType.NVARCHAR ? size * 2 : null,
                place,
                "YES",
                null,
                null,
                null,
                null,
                "NO",
                "NO");
    }

    @Override
    public final ResultSet getSchemas() {
        return getSchemas(null, null);
    }

    @Override
    public final ResultSet getSchemas(@Nullable String catalog, @Nullable String pattern) {
        List<Row> rows = views(catalog, pattern, null).stream()
                .map(View::schema)
                .distinct()
                .sorted()
                .map(schema -> Row.of(schema, catalog()))
                .toList();
        return rows("TABLE_SCHEM, TABLE_CATALOG", rows);
    }

    @Override
    public final ResultSet getCatalogs() {
        return rows("TABLE_CAT", List.of(Row.of(catalog())));
    }

    @Override
    public final ResultSet getTableTypes() {
        return rows("TABLE_TYPE", List.of(Row.of(VIEW)));
    }

    // Product and driver.

    @Override
    public final Connection getConnection() {
        return connection;
    }

    @Override
    public final String getURL() {
        return connection.url();
    }

    @Override
    public final String getUserName() {
        return connection.user();
    }

    @Override
    public final String getDatabaseProductName() {
        return "Comporta";
    }

    @Override
    public final String getDatabaseProductVersion() {
        return version();
    }

    @Override
    public final String getDriverName() {
        return "Comporta JDBC";
    }

    @Override
    public final String getDriverVersion() {
        return version();
    }

    /** The version of the jar; classes outside of a jar have none. */
    private static String version() {
        return Objects.requireNonNullElse(AdminMetaData.class.getPackage().getImplementationVersion(), "development");
    }

    @Override
    public final int getJDBCMajorVersion() {
        return 4;
    }

    @Override
    public final int getJDBCMinorVersion() {
        return 3;
    }

    // The language.

    @Override
    public final String getIdentifierQuoteString() {
        return "\"";
    }

    @Override
    public final String getSearchStringEscape() {
        return "\\";
    }

    @Override
    public final String getCatalogSeparator() {
        return ".";
    }

    @Override
    public final String getCatalogTerm() {
        return "database";
    }

    @Override
    public final String getSchemaTerm() {
        return "schema";
    }

    @Override
    public final boolean isCatalogAtStart() {
        return true;
    }

    @Override
    public final boolean isReadOnly() throws SQLException {
        return connection.isReadOnly();
    }

    @Override
    public final boolean allTablesAreSelectable() {
        return true;
    }

    @Override
    public final boolean nullsAreSortedLow() {
        return true;
    }

    @Override
    public final boolean storesMixedCaseIdentifiers() {
        return true;
    }

    @Override
    public final boolean storesMixedCaseQuotedIdentifiers() {
        return true;
    }

    @Override
    public final boolean supportsSchemasInDataManipulation() {
        return true;
    }

    @Override
    public final boolean supportsCatalogsInDataManipulation() {
        return true;
    }

    @Override
    public final boolean supportsGroupBy() {
        return true;
    }

    @Override
    public final boolean supportsUnion() {
        return true;
    }

    @Override
    public final boolean supportsUnionAll() {
        return true;
    }

    @Override
    public final boolean supportsColumnAliasing() {
        return true;
    }

    @Override
    public final boolean supportsMultipleResultSets() {
        return true;
    }

    @Override
    public final boolean supportsResultSetType(int type) {
        return type == ResultSet.TYPE_FORWARD_ONLY || type == ResultSet.TYPE_SCROLL_INSENSITIVE;
    }

    @Override
    public final boolean supportsResultSetConcurrency(int type, int concurrency) {
        return supportsResultSetType(type) && concurrency == ResultSet.CONCUR_READ_ONLY;
    }

    @Override
    public final boolean supportsTransactionIsolationLevel(int level) {
        return level == Connection.TRANSACTION_NONE;
    }

    @Override
    public final int getDefaultTransactionIsolation() {
        return Connection.TRANSACTION_NONE;
    }

    @Override
    public final int getResultSetHoldability() {
        return ResultSet.HOLD_CURSORS_OVER_COMMIT;
    }

    @Override
    public final int getSQLStateType() {
        return sqlStateSQL;
    }

    @Override
    public final RowIdLifetime getRowIdLifetime() {
        return RowIdLifetime.ROWID_UNSUPPORTED;
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        return Faces.unwrap(this, type);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
