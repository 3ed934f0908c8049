package dev.comporta.jdbc.admin;

import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows in memory. {@link Faces} adds the methods that read a column by its label. */
abstract class AdminResultSet implements ResultSet {
    private final Table table;
    private final @Nullable Statement statement;
    /** The current row, counted from 1; 0 is before the first. */
    private int at;

    private boolean wasNull;
    private boolean closed;

    AdminResultSet(Table table, @Nullable Statement statement) {
        this.table = table;
        this.statement = statement;
    }

    private void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLNonTransientException("the result set is closed", "HY010");
        }
    }

    private int size() {
        return table.rows().size();
    }

    // The cursor.

    private boolean go(int to) throws SQLException {
        requireOpen();
        at = Math.clamp(to, 0, size() + 1);
        return at >= 1 && at <= size();
    }

    @Override
    public final boolean next() throws SQLException {
        return go(at + 1);
    }

    @Override
    public final boolean previous() throws SQLException {
        return go(at - 1);
    }

    @Override
    public final boolean first() throws SQLException {
        return go(1);
    }

    @Override
    public final boolean last() throws SQLException {
        return go(size());
    }

    @Override
    public final void beforeFirst() throws SQLException {
        go(0);
    }

    @Override
    public final void afterLast() throws SQLException {
        go(size() + 1);
    }

    @Override
    public final boolean absolute(int row) throws SQLException {
        return go(row < 0 ? size() + 1 + row : row);
    }

    @Override
    public final boolean relative(int rows) throws SQLException {
        return go(at + rows);
    }

    @Override
    public final boolean isBeforeFirst() throws SQLException {
        requireOpen();
        return at == 0 && size() > 0;
    }

    @Override
    public final boolean isAfterLast() throws SQLException {
        requireOpen();
        return at > size() && size() > 0;
    }

    @Override
    public final boolean isFirst() throws SQLException {
        requireOpen();
        return at == 1 && size() > 0;
    }

    @Override
    public final boolean isLast() throws SQLException {
        requireOpen();
        return at == size() && size() > 0;
    }

    @Override
    public final int getRow() throws SQLException {
        requireOpen();
        return at > size() ? 0 : at;
    }

    // Values.

    private @Nullable Object value(int column) throws SQLException {
        requireOpen();
        if (at < 1 || at > size()) {
            throw new SQLNonTransientException("there is no current row: call next() first", "24000");
        }
        Row row = table.rows().get(at - 1);
        if (column < 1 || column > row.size()) {
            throw new SQLSyntaxErrorException("there is no column " + column + ": there are " + row.size(), "42S22");
        }
        Object value = row.get(column - 1);
        wasNull = value == null;
        return value;
    }

    private <T> @Nullable T as(int column, Class<T> type) throws SQLException {
        Object value = value(column);
        return value == null ? null : Values.as(value, type);
    }

    @Override
    public final boolean wasNull() throws SQLException {
        requireOpen();
        return wasNull;
    }

    @Override
    public final int findColumn(String label) throws SQLException {
        requireOpen();
        for (int i = 0; i < table.columns().size(); i++) {
            if (table.columns().get(i).name().equalsIgnoreCase(label)) {
                return i + 1;
            }
        }
        throw new SQLSyntaxErrorException("there is no column " + label, "42S22");
    }

    @Override
    public final @Nullable Object getObject(int column) throws SQLException {
        return as(column, Object.class);
    }

    @Override
    public final @Nullable Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
        return getObject(column);
    }

    @Override
    public final <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
        return as(column, type);
    }

    @Override
    public final @Nullable String getString(int column) throws SQLException {
        return as(column, String.class);
    }

    @Override
    public final @Nullable String getNString(int column) throws SQLException {
        return as(column, String.class);
    }

    @Override
    public final @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
        return as(column, BigDecimal.class);
    }

    @Override
    public final @Nullable Date getDate(int column) throws SQLException {
        return as(column, Date.class);
    }

    @Override
    public final @Nullable Time getTime(int column) throws SQLException {
        return as(column, Time.class);
    }

    @Override
    public final @Nullable Timestamp getTimestamp(int column) throws SQLException {
        return as(column, Timestamp.class);
    }

    @Override
    public final boolean getBoolean(int column) throws SQLException {
        Boolean value = as(column, Boolean.class);
        return value == null ? false : value;
    }

    @Override
    public final byte getByte(int column) throws SQLException {
        Byte value = as(column, Byte.class);
        return value == null ? (byte) 0 : value;
    }

    @Override
    public final short getShort(int column) throws SQLException {
        Short value = as(column, Short.class);
        return value == null ? (short) 0 : value;
    }

    @Override
    public final int getInt(int column) throws SQLException {
        Integer value = as(column, Integer.class);
        return value == null ? 0 : value;
    }

    @Override
    public final long getLong(int column) throws SQLException {
        Long value = as(column, Long.class);
        return value == null ? 0L : value;
    }

    @Override
    public final float getFloat(int column) throws SQLException {
        Float value = as(column, Float.class);
        return value == null ? 0f : value;
    }

    @Override
    public final double getDouble(int column) throws SQLException {
        Double value = as(column, Double.class);
        return value == null ? 0.0 : value;
    }

    // The rest.

    @Override
    public final ResultSetMetaData getMetaData() throws SQLException {
        requireOpen();
        return new AdminResultSetMetaData(List.copyOf(table.columns()));
    }

    @Override
    public final @Nullable Statement getStatement() throws SQLException {
        requireOpen();
        return statement;
    }

    @Override
    public final void close() throws SQLException {
        if (!closed) {
            closed = true;
            if (statement instanceof AdminStatement its) {
                its.rowsClosed();
            }
        }
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    @Override
    public final int getType() {
        return TYPE_SCROLL_INSENSITIVE;
    }

    @Override
    public final int getConcurrency() {
        return CONCUR_READ_ONLY;
    }

    @Override
    public final int getHoldability() {
        return HOLD_CURSORS_OVER_COMMIT;
    }

    @Override
    public final int getFetchDirection() {
        return FETCH_FORWARD;
    }

    @Override
    public final void setFetchDirection(int direction) throws SQLException {
        requireOpen();
    }

    @Override
    public final int getFetchSize() {
        return 0;
    }

    @Override
    public final void setFetchSize(int rows) throws SQLException {
        requireOpen();
    }

    @Override
    public final @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public final void clearWarnings() throws SQLException {
        requireOpen();
    }

    @Override
    public final boolean rowInserted() {
        return false;
    }

    @Override
    public final boolean rowUpdated() {
        return false;
    }

    @Override
    public final boolean rowDeleted() {
        return false;
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
