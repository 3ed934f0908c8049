package dev.comporta.jdbc.admin;

import dev.comporta.console.sql.Placeholders;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text with question marks. They may stand for values in queries, and for options of servers and user mappings. */
abstract class AdminPreparedStatement extends AdminStatement implements PreparedStatement {
    private Placeholders text = new Placeholders("", 0);
    private @Nullable Object[] values = {};
    private boolean[] isSet = {};
    private final List<@Nullable Object[]> batch = new ArrayList<>();

    AdminPreparedStatement(AdminConnection connection) {
        super(connection);
    }

    final void prepare(String sql) throws SQLException {
        text = AdminDatabase.parsed(sql);
        values = new @Nullable Object[text.count()];
        isSet = new boolean[values.length];
    }

    private void set(int place, @Nullable Object value) throws SQLException {
        requireOpen();
        if (place < 1 || place > values.length) {
            throw new SQLSyntaxErrorException(
                    "there is no parameter " + place + ": the text has " + values.length, "07009");
        }
        values[place - 1] = Values.typed(value).value();
        isSet[place - 1] = true;
    }

    private void requireAll() throws SQLException {
        for (int i = 0; i < isSet.length; i++) {
            if (!isSet[i]) {
                throw new SQLSyntaxErrorException("parameter " + (i + 1) + " is not set", "07001");
            }
        }
    }

    private boolean run() throws SQLException {
        requireAll();
        return run(text, Arrays.asList(values));
    }

    @Override
    public final boolean execute() throws SQLException {
        return run();
    }

    @Override
    public final ResultSet executeQuery() throws SQLException {
        run();
        return rowsOf();
    }

    @Override
    public final int executeUpdate() throws SQLException {
        run();
        return updatesOf();
    }

    @Override
    public final void addBatch() throws SQLException {
        requireOpen();
        requireAll();
        batch.add(values.clone());
    }

    @Override
    public final void clearBatch() {
        batch.clear();
    }

    @Override
    public final int[] executeBatch() throws SQLException {
        int[] counts = new int[batch.size()];
        try {
            for (int i = 0; i < counts.length; i++) {
                run(text, Arrays.asList(batch.get(i)));
                counts[i] = updatesOf();
            }
        } finally {
            batch.clear();
        }
        return counts;
    }

    // JDBC: these are for statements without a text of their own.

    @Override
    public final boolean execute(String sql) throws SQLException {
        throw hasItsOwnText();
    }

    @Override
    public final ResultSet executeQuery(String sql) throws SQLException {
        throw hasItsOwnText();
    }

    @Override
    public final int executeUpdate(String sql) throws SQLException {
        throw hasItsOwnText();
    }

    private static SQLException hasItsOwnText() {
        return new SQLNonTransientException("a prepared statement has its text already: call it without one", "HY010");
    }

    @Override
    public final void clearParameters() {
        Arrays.fill(isSet, false);
    }

    @Override
    public final void setNull(int place, int type) throws SQLException {
        set(place, null);
    }

    @Override
    public final void setNull(int place, int type, String name) throws SQLException {
        set(place, null);
    }

    @Override
    public final void setBoolean(int place, boolean value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setByte(int place, byte value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setShort(int place, short value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setInt(int place, int value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setLong(int place, long value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setFloat(int place, float value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setDouble(int place, double value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setBigDecimal(int place, @Nullable BigDecimal value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setString(int place, @Nullable String value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setNString(int place, @Nullable String value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setDate(int place, @Nullable Date value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setTimestamp(int place, @Nullable Timestamp value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setObject(int place, @Nullable Object value) throws SQLException {
        set(place, value);
    }

    @Override
    public final void setObject(int place, @Nullable Object value, int type) throws SQLException {
        set(place, value);
    }
}
