package dev.comporta.e2e.matrix;

import com.microsoft.sqlserver.jdbc.ISQLServerBulkData;
import com.microsoft.sqlserver.jdbc.SQLServerBulkCopy;
import com.microsoft.sqlserver.jdbc.SQLServerConnectionPoolDataSource;
import com.microsoft.sqlserver.jdbc.SQLServerDataSource;
import com.microsoft.sqlserver.jdbc.SQLServerException;
import dev.comporta.e2e.ServerCertificate;
import dev.comporta.e2e.Target;
import dev.comporta.testkit.Jdbc;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import javax.sql.PooledConnection;
import microsoft.sql.DateTimeOffset;
import org.jspecify.annotations.Nullable;

/** Microsoft's JDBC driver, with encrypt set to false (only the login is encrypted), true, or strict (TDS 8.0). */
final class MssqlJdbc extends JdbcDriver {
    private final Tls tls;

    MssqlJdbc(Tls tls) {
        this.tls = tls;
    }

    @Override
    public String name() {
        return "mssql-jdbc encrypt=" + tls.word();
    }

    @Override
    public Tls tls() {
        return tls;
    }

    @Override
    public Traits traits() {
        return Traits.EXACT;
    }

    @Override
    Connection connect(Target target) throws SQLException {
        SQLServerDataSource source = new SQLServerDataSource();
        configure(source, target);
        return source.getConnection();
    }

    private void configure(SQLServerDataSource source, Target target) {
        source.setServerName(target.host());
        source.setPortNumber(target.port());
        source.setUser(target.user());
        source.setPassword(target.password());
        source.setDatabaseName(target.database());
        source.setEncrypt(tls.word());
        if (tls == Tls.STRICT) {
            source.setServerCertificate(ServerCertificate.of(target).toString());
        } else {
            source.setTrustServerCertificate(true);
        }
        source.setLoginTimeout(20);
    }

    @Override
    @Nullable
    Object read(ResultSet rows, int column) throws SQLException {
        return switch (rows.getMetaData().getColumnTypeName(column)) {
            case "date" -> rows.getObject(column, java.time.LocalDate.class);
            case "time" -> rows.getObject(column, java.time.LocalTime.class);
            case "datetime", "smalldatetime", "datetime2" -> rows.getObject(column, LocalDateTime.class);
            case "datetimeoffset" -> {
                DateTimeOffset value = (DateTimeOffset) rows.getObject(column);
                yield value == null ? null : value.getOffsetDateTime();
            }
            case "xml" -> rows.getString(column);
            default -> rows.getObject(column);
        };
    }

    @Override
    void bulkLoad(Connection connection, String table, List<@Nullable Object[]> rows) throws SQLException {
        try (SQLServerBulkCopy load = new SQLServerBulkCopy(connection)) {
            load.setDestinationTableName(table);
            load.writeToServer(new Rows(rows.iterator()));
        }
    }

    @Override
    void reset(Target target, Facts facts) throws SQLException {
        SQLServerConnectionPoolDataSource source = new SQLServerConnectionPoolDataSource();
        configure(source, target);
        PooledConnection pooled = source.getPooledConnection();
        try {
            try (Connection first = pooled.getConnection()) {
                Jdbc.run(first, "CREATE TABLE #mine (n int); SET DATEFIRST 3");
                facts.add("before", Jdbc.ask(first, "SELECT @@DATEFIRST"));
            }
            try (Connection second = pooled.getConnection()) {
                facts.add("after", Jdbc.ask(second, "SELECT @@DATEFIRST"));
                facts.add("temp table", errorOf(() -> Jdbc.ask(second, "SELECT n FROM #mine")));
            }
        } finally {
            pooled.close();
        }
    }

    /** Rows of id int, name nvarchar(50), amount decimal(18,4). */
    private static final class Rows implements ISQLServerBulkData {
        private final Iterator<@Nullable Object[]> rows;
        private @Nullable Object[] current = {};

        Rows(Iterator<@Nullable Object[]> rows) {
            this.rows = rows;
        }

        @Override
        public Set<Integer> getColumnOrdinals() {
            return Set.of(1, 2, 3);
        }

        @Override
        public String getColumnName(int column) {
            return List.of("id", "name", "amount").get(column - 1);
        }

        @Override
        public int getColumnType(int column) {
            return List.of(Types.INTEGER, Types.NVARCHAR, Types.DECIMAL).get(column - 1);
        }

        @Override
        public int getPrecision(int column) {
            return List.of(10, 50, 18).get(column - 1);
        }

        @Override
        public int getScale(int column) {
            return column == 3 ? 4 : 0;
        }

        @Override
        public @Nullable Object[] getRowData() throws SQLServerException {
            return current;
        }

        @Override
        public boolean next() {
            if (!rows.hasNext()) {
                return false;
            }
            current = rows.next();
            return true;
        }
    }
}
