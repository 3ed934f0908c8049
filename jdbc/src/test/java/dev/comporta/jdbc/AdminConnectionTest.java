package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.stub.StubServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** {@code jdbc:comporta:}, as any tool of JDBC sees it. */
class AdminConnectionTest {
    private static final String URL = "jdbc:comporta:";

    private final StubServer server = new StubServer();
    private Connection admin;
    private Statement statement;

    @BeforeEach
    void connect() throws SQLException {
        DriverManager.registerDriver(server);
        admin = DriverManager.getConnection(URL, "ops", "");
        statement = admin.createStatement();
        statement.execute("CREATE SERVER adm FOREIGN DATA WRAPPER jdbc_fdw OPTIONS (jdbcUrl 'jdbc:stub:adm',"
                + " min_connections '0', warmup_on_create 'false', shutdownTimeout '100')");
    }

    @AfterEach
    void disconnect() throws SQLException {
        try (Connection last = DriverManager.getConnection(URL);
                Statement drop = last.createStatement()) {
            drop.execute("DROP SERVER IF EXISTS adm");
        }
        DriverManager.deregisterDriver(server);
        assertThat(server.open()).isZero();
    }

    @Test
    void commandsAnswerWithAWarningAndQueriesWithRows() throws SQLException {
        assertThat(statement.getWarnings().getMessage()).startsWith("Server adm created");
        assertThat(statement.executeUpdate("CREATE USER MAPPING FOR ana SERVER adm OPTIONS (user 'u')"))
                .isZero();
        assertThat(statement.getUpdateCount()).isZero();
        assertThat(statement.getMoreResults()).isFalse();
        assertThat(statement.getUpdateCount()).isEqualTo(-1);
        DriverManager.getConnection("jdbc:comporta:adm", "ana", "").close();
        try (ResultSet rows = statement.executeQuery(
                "SELECT server_name, healthy, acquires, 1.5, CAST(NULL AS INT) AS nothing FROM sys.remote_pool_stats"
                        + " WHERE server_name = 'adm'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString("SERVER_NAME")).isEqualTo("adm");
            assertThat(rows.getBoolean(2)).isTrue();
            assertThat(rows.getInt("acquires")).isEqualTo(1);
            assertThat(rows.getObject("acquires")).isEqualTo(1L);
            assertThat(rows.getString("acquires")).isEqualTo("1");
            assertThat(rows.getDouble(4)).isEqualTo(1.5);
            assertThat(rows.getInt("nothing")).isZero();
            assertThat(rows.wasNull()).isTrue();
            assertThat(rows.getObject("nothing", Integer.class)).isNull();
            assertThatThrownBy(() -> rows.getString("nowhere")).hasMessageContaining("there is no column nowhere");
            assertThatThrownBy(() -> rows.getInt("server_name")).hasMessageContaining("can't be read as a Integer");
            assertThat(rows.next()).isFalse();
            assertThatThrownBy(() -> rows.getString(1)).hasMessageContaining("there is no current row");
            assertThat(rows.previous()).isTrue();
            assertThat(rows.isFirst()).isTrue();
            assertThat(rows.isLast()).isTrue();
        }
    }

    /** Where local times are others than UTC. */
    @Test
    @ResourceLock(Resources.TIME_ZONE)
    void timesAreUtcWhateverTheyAreReadAs() throws SQLException {
        TimeZone usual = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("America/Sao_Paulo"));
        try {
            assertTimesAreUtc();
        } finally {
            TimeZone.setDefault(usual);
        }
    }

    private void assertTimesAreUtc() throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT CAST('2026-11-17 12:30:05' AS DATETIME2)")) {
            rows.next();
            LocalDateTime time = LocalDateTime.parse("2026-11-17T12:30:05");
            assertThat(rows.getTimestamp(1)).isEqualTo(Timestamp.valueOf(time));
            assertThat(rows.getObject(1)).isEqualTo(Timestamp.valueOf(time));
            assertThat(rows.getObject(1, LocalDateTime.class)).isEqualTo(time);
            assertThat(rows.getString(1)).startsWith("2026-11-17 12:30:05");
            assertThat(rows.getDate(1)).hasToString("2026-11-17");
            assertThat(rows.getTime(1)).hasToString("12:30:05");
        }
        LocalDateTime soonest = LocalDateTime.now(ZoneOffset.UTC).minusMinutes(5);
        try (ResultSet rows = statement.executeQuery(
                "SELECT created_at, GETDATE() FROM sys.remote_servers WHERE server_name = 'adm'")) {
            rows.next();
            for (int column = 1; column <= 2; column++) {
                assertThat(rows.getObject(column, LocalDateTime.class))
                        .isBetween(soonest, LocalDateTime.now(ZoneOffset.UTC).plusSeconds(1)); // a DATETIME is rounded
            }
        }
    }

    @Test
    void aColumnIsReadByItsLabelAsByItsNumber() throws Exception {
        List<String> labels = List.of("number", "word", "moment", "nothing");
        try (ResultSet rows = statement.executeQuery("SELECT 7 AS number, 'x' AS word,"
                + " CAST('2026-11-17 12:30:05' AS DATETIME2) AS moment, CAST(NULL AS INT) AS nothing")) {
            rows.next();
            int compared = 0;
            for (Method byNumber : ResultSet.class.getMethods()) {
                if (byNumber.getName().startsWith("get")
                        && Arrays.equals(byNumber.getParameterTypes(), new Class<?>[] {int.class})) {
                    Method byLabel = ResultSet.class.getMethod(byNumber.getName(), String.class);
                    for (int column = 1; column <= labels.size(); column++) {
                        assertThat(outcome(rows, byLabel, labels.get(column - 1)))
                                .as("%s of column %d", byNumber.getName(), column)
                                .isEqualTo(outcome(rows, byNumber, column));
                        compared++;
                    }
                }
            }
            assertThat(compared).isGreaterThan(60);
            assertThat(rows.getObject("number", Long.class)).isEqualTo(7L);
        }
    }

    private static String outcome(ResultSet rows, Method read, Object column) throws IllegalAccessException {
        try {
            return String.valueOf(read.invoke(rows, column));
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        }
    }

    @Test
    void parametersStandForValuesAndForOptionsSoThatNoTextHasAPassword() throws SQLException {
        try (PreparedStatement map =
                admin.prepareStatement("CREATE USER MAPPING FOR ana SERVER adm OPTIONS (user ?, password ?)")) {
            map.setString(1, "remote_ana");
            assertThatThrownBy(map::executeUpdate).hasMessageContaining("parameter 2 is not set");
            map.setString(2, "it's ?");
            assertThat(map.executeUpdate()).isZero();
            assertThatThrownBy(() -> map.setString(3, "x")).hasMessageContaining("the text has 2");
        }
        DriverManager.getConnection("jdbc:comporta:adm", "ana", "").close();
        assertThat(server.logins().getFirst())
                .containsEntry("user", "remote_ana")
                .containsEntry("password", "it's ?");
        try (PreparedStatement find = admin.prepareStatement(
                "SELECT local_user, '?' FROM sys.remote_user_pool_stats WHERE server_name = ? AND total_acquires < ?")) {
            find.setObject(1, "adm");
            find.setLong(2, 2);
            try (ResultSet rows = find.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("ana");
                assertThat(rows.getString(2)).isEqualTo("?");
            }
            find.setInt(2, 0);
            assertThat(find.executeQuery().next()).isFalse();
        }
    }

    @Test
    void aTextWithSeveralStatementsHasSeveralResults() throws SQLException {
        assertThat(statement.execute("SET NOCOUNT ON; SELECT 1; SELECT 'a' UNION SELECT 'b'"))
                .isFalse();
        assertThat(statement.getUpdateCount()).isZero();
        assertThat(statement.getMoreResults()).isTrue();
        ResultSet first = statement.getResultSet();
        assertThat(statement.getMoreResults()).isTrue();
        assertThat(first.isClosed()).isTrue();
        statement.setMaxRows(1);
        ResultSet second = statement.getResultSet();
        assertThat(second.next()).isTrue();
        assertThat(second.next()).isFalse();
        assertThat(statement.getMoreResults()).isFalse();
        assertThat(statement.getUpdateCount()).isEqualTo(-1);
        assertThatThrownBy(() -> statement.executeQuery("PAUSE adm")).hasMessageContaining("returns no rows");
        assertThatThrownBy(() -> statement.executeUpdate("SELECT 1")).hasMessageContaining("returns rows");
    }

    @Test
    void errorsHaveTheConsolesNumberAStateAndAPlace() {
        assertThatThrownBy(() -> statement.execute("SELECT *\nFROM sys.nowhere"))
                .isInstanceOf(SQLSyntaxErrorException.class)
                .hasMessageContaining("line 2")
                .satisfies(e -> {
                    assertThat(((SQLException) e).getErrorCode()).isEqualTo(208);
                    assertThat(((SQLException) e).getSQLState()).isEqualTo("42S02");
                });
        assertThatThrownBy(() -> statement.execute("DROP SERVER nowhere"))
                .isInstanceOf(SQLException.class)
                .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("HY000"));
    }

    @Test
    void aReadOnlyConnectionGivesNoCommands() throws SQLException {
        admin.setReadOnly(true);
        assertThat(statement.executeQuery("SELECT 1").next()).isTrue();
        assertThatThrownBy(() -> statement.execute("DROP SERVER adm"))
                .hasMessageContaining("Login 'ops' may read but not give commands");
        admin.setReadOnly(false);
        statement.execute("PAUSE adm; RESUME adm");
    }

    @Test
    void toolsFindTheViewsAndTheirColumns() throws SQLException {
        DatabaseMetaData meta = admin.getMetaData();
        assertThat(meta.getDatabaseProductName()).isEqualTo("Comporta");
        assertThat(meta.getURL()).isEqualTo(URL);
        assertThat(meta.getUserName()).isEqualTo("ops");
        assertThat(names(meta.getTables(null, "sys", "remote\\_%", new String[] {"VIEW"}), "TABLE_NAME"))
                .containsExactlyInAnyOrder(
                        "remote_pool_stats", "remote_user_pool_stats", "remote_connections", "remote_servers");
        assertThat(names(meta.getTables(null, "sys", "%", new String[] {"TABLE"}), "TABLE_NAME"))
                .isEmpty();
        assertThat(names(meta.getColumns("comporta", "sys", "remote_pool_stats", "%"), "COLUMN_NAME"))
                .hasSize(9)
                .startsWith("server_name", "db_type", "healthy", "total_conns");
        assertThat(names(meta.getColumns("elsewhere", null, null, null), "COLUMN_NAME"))
                .isEmpty();
        assertThat(names(meta.getSchemas(), "TABLE_SCHEM")).contains("sys", "INFORMATION_SCHEMA");
        assertThat(names(meta.getCatalogs(), "TABLE_CAT")).containsExactly("comporta");
        assertThat(meta.getPrimaryKeys(null, "sys", "remote_pool_stats").next()).isFalse();
        assertThat(meta.supportsBatchUpdates()).isFalse();
        assertThat(meta.getSQLKeywords()).isEmpty();
        ResultSetMetaData columns =
                statement.executeQuery("SELECT * FROM sys.remote_pool_stats").getMetaData();
        assertThat(columns.getColumnCount()).isEqualTo(9);
        assertThat(columns.getColumnType(3)).isEqualTo(Types.BOOLEAN);
        assertThat(columns.getColumnClassName(8)).isEqualTo(Long.class.getName());
        assertThatThrownBy(() -> columns.getColumnName(10)).hasMessageContaining("there is no column 10");
    }

    private static List<String> names(ResultSet rows, String column) throws SQLException {
        List<String> names = new ArrayList<>();
        while (rows.next()) {
            names.add(rows.getString(column));
        }
        return names;
    }

    @Test
    void whatIsNotSupportedSaysSoAndWhatIsClosedStaysClosed() throws SQLException {
        assertThatThrownBy(() -> admin.createBlob())
                .isInstanceOf(SQLFeatureNotSupportedException.class)
                .hasMessageContaining("createBlob is not supported");
        assertThatThrownBy(() -> admin.prepareCall("x")).isInstanceOf(SQLFeatureNotSupportedException.class);
        assertThatThrownBy(() -> statement.cancel()).isInstanceOf(SQLFeatureNotSupportedException.class);
        ResultSet rows = statement.executeQuery("SELECT 1");
        statement.close();
        assertThat(rows.isClosed()).isTrue();
        assertThatThrownBy(rows::next).hasMessageContaining("closed");
        assertThatThrownBy(() -> statement.execute("SELECT 1")).hasMessageContaining("the statement is closed");
        admin.close();
        admin.close();
        assertThat(admin.isValid(1)).isFalse();
        assertThatThrownBy(() -> admin.createStatement()).isInstanceOf(SQLNonTransientConnectionException.class);
    }

    @Test
    void aFrameworkCanUseIt() {
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(URL));
        assertThat(jdbc.queryForList(
                        "SELECT server_name FROM sys.remote_servers WHERE db_type = ?", String.class, "generic"))
                .containsExactly("adm");
        assertThat(jdbc.queryForMap("SELECT healthy, total_conns FROM sys.remote_pool_stats"))
                .containsEntry("healthy", true)
                .containsEntry("total_conns", 0);
    }
}
