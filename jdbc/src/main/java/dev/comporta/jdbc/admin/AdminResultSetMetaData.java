package dev.comporta.jdbc.admin;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.util.List;

/** The columns of a result. */
record AdminResultSetMetaData(List<Column> columns) implements ResultSetMetaData {
    private Column column(int place) throws SQLException {
        if (place < 1 || place > columns.size()) {
            throw new SQLSyntaxErrorException("there is no column " + place + ": there are " + columns.size(), "42S22");
        }
        return columns.get(place - 1);
    }

    @Override
    public int getColumnCount() {
        return columns.size();
    }

    @Override
    public String getColumnLabel(int place) throws SQLException {
        return column(place).name();
    }

    @Override
    public String getColumnName(int place) throws SQLException {
        return column(place).name();
    }

    @Override
    public int getColumnType(int place) throws SQLException {
        return Values.jdbcType(column(place).type());
    }

    @Override
    public String getColumnTypeName(int place) throws SQLException {
        return column(place).type().name();
    }

    @Override
    public String getColumnClassName(int place) throws SQLException {
        return Values.javaClass(column(place).type()).getName();
    }

    @Override
    public int getPrecision(int place) throws SQLException {
        return Values.size(column(place).type());
    }

    @Override
    public int getColumnDisplaySize(int place) throws SQLException {
        return Values.size(column(place).type());
    }

    @Override
    public int getScale(int place) throws SQLException {
        return column(place).type() == ColumnType.DATETIME2 ? 7 : 0;
    }

    @Override
    public int isNullable(int place) {
        return columnNullableUnknown;
    }

    @Override
    public boolean isSigned(int place) throws SQLException {
        ColumnType type = column(place).type();
        return type.isNumeric() && type != ColumnType.BIT;
    }

    @Override
    public boolean isCaseSensitive(int place) {
        return false;
    }

    @Override
    public boolean isSearchable(int place) {
        return true;
    }

    @Override
    public boolean isReadOnly(int place) {
        return true;
    }

    @Override
    public boolean isWritable(int place) {
        return false;
    }

    @Override
    public boolean isDefinitelyWritable(int place) {
        return false;
    }

    @Override
    public boolean isAutoIncrement(int place) {
        return false;
    }

    @Override
    public boolean isCurrency(int place) {
        return false;
    }

    @Override
    public String getSchemaName(int place) {
        return "";
    }

    @Override
    public String getTableName(int place) {
        return "";
    }

    @Override
    public String getCatalogName(int place) {
        return "";
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Faces.unwrap(this, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
