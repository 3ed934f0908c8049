package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import net.sourceforge.jtds.jdbcx.JtdsDataSource;
import org.jspecify.annotations.Nullable;

/** jTDS, which speaks TDS 7.1: what came later reaches it as SQL Server puts it for old clients. */
final class Jtds extends JdbcDriver {
    private final Tls tls;

    Jtds(Tls tls) {
        this.tls = tls;
    }

    @Override
    public String name() {
        return "jTDS" + tls.suffix();
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
        JtdsDataSource source = new JtdsDataSource();
        source.setServerName(target.host());
        source.setPortNumber(target.port());
        source.setUser(target.user());
        source.setPassword(target.password());
        source.setDatabaseName(target.database());
        source.setLoginTimeout(20);
        if (tls == Tls.ON) {
            source.setSsl("require");
        }
        // Otherwise long values arrive as streams, which outlive neither row nor statement.
        source.setUseLOBs(false);
        return source.getConnection();
    }

    @Override
    @Nullable
    Object read(ResultSet rows, int column) throws SQLException {
        return switch (rows.getMetaData().getColumnType(column)) {
            case Types.TIMESTAMP -> rows.getTimestamp(column);
            case Types.CLOB, Types.LONGVARCHAR -> rows.getString(column);
            case Types.BLOB, Types.LONGVARBINARY -> rows.getBytes(column);
            default -> rows.getObject(column);
        };
    }

    @Override
    void bulkLoad(Connection connection, String table, List<@Nullable Object[]> rows) {
        throw new UnsupportedOperationException("jTDS has no bulk load");
    }

    @Override
    void reset(Target target, Facts facts) {
        throw new UnsupportedOperationException("jTDS never asks for a reset");
    }
}
