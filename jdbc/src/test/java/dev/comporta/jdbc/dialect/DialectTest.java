package dev.comporta.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialectTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db/orders, POSTGRESQL",
        "jdbc:mysql://db/orders, MYSQL",
        "jdbc:mariadb://db/orders, MYSQL",
        "jdbc:sqlserver://db, SQL_SERVER",
        "jdbc:jtds:sqlserver://db, SQL_SERVER",
        "jdbc:firebird://db/orders.fdb, FIREBIRD",
        "jdbc:firebirdsql://db/orders.fdb, FIREBIRD",
        "jdbc:h2:mem:x, H2",
        "jdbc:oracle:thin:@db, GENERIC",
        "nonsense, GENERIC"
    })
    void theDialectFollowsFromTheUrl(String url, Dialect dialect) {
        assertThat(Dialect.of(url)).isEqualTo(dialect);
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, 08006, 0, true",
        "POSTGRESQL, 57P01, 0, true",
        "POSTGRESQL, 57P03, 0, true",
        "POSTGRESQL, 25P03, 0, true",
        "POSTGRESQL, 0A000, 0, false", // cached plan must not change result type
        "POSTGRESQL, 40001, 0, false", // a conflict of transactions
        "POSTGRESQL, 57014, 0, false", // statement cancelled
        "POSTGRESQL, 23505, 0, false",
        "AURORA_DSQL, 57P01, 0, true",
        "AURORA_DSQL, 40001, 0, false",
        "AURORA_DSQL, OC000, 0, false",
        "AURORA_DSQL, OC001, 0, false",
        "MYSQL, HY000, 2013, true",
        "MYSQL, 70100, 1927, true",
        "MYSQL, 40001, 1213, false",
        "SQL_SERVER, S0001, 596, true",
        "SQL_SERVER, 08S01, 0, true",
        "SQL_SERVER, 40001, 1205, false",
        "FIREBIRD, HY000, 335544741, true",
        "FIREBIRD, 23000, 335544665, false",
        "H2, 90067, 90067, true",
        "H2, 23505, 23505, false",
        "GENERIC, 01002, 0, true",
        "GENERIC, JZ0C0, 0, true",
        "GENERIC, 42000, 0, false"
    })
    void anErrorSaysWhetherItsConnectionIsLost(Dialect dialect, String state, int code, boolean lost) {
        assertThat(dialect.isLost(new SQLException("x", state, code))).isEqualTo(lost);
    }

    @Test
    void aTimeoutDoesNotEndAConnectionAndAChainedErrorDoes() {
        assertThat(Dialect.GENERIC.isLost(new SQLTimeoutException("slow", "08000")))
                .isFalse();
        SQLException chained = new SQLException("batch", "22000");
        chained.setNextException(new SQLException("gone", "08006"));
        assertThat(Dialect.GENERIC.isLost(chained)).isTrue();
        assertThat(Dialect.GENERIC.isLost(new SQLException("no state"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, 53300, 0, FULL",
        "POSTGRESQL, 53400, 0, FULL",
        "POSTGRESQL, 57P03, 0, NOT_READY",
        "AURORA_DSQL, 53300, 0, FULL",
        "AURORA_DSQL, 53400, 0, FULL",
        "AURORA_DSQL, 28000, 0, REJECTED",
        "POSTGRESQL, 28P01, 0, REJECTED",
        "POSTGRESQL, 3D000, 0, REJECTED",
        "POSTGRESQL, 08001, 0, UNREACHABLE",
        "MYSQL, 08004, 1040, FULL",
        "MYSQL, 42000, 1203, FULL",
        "MYSQL, 42000, 1226, FULL",
        "MYSQL, 28000, 1045, REJECTED",
        "MYSQL, 42000, 1049, REJECTED",
        "SQL_SERVER, S0001, 10928, FULL",
        "SQL_SERVER, S0001, 10929, FULL",
        "SQL_SERVER, S0001, 10936, FULL",
        "SQL_SERVER, S0001, 17809, FULL",
        "SQL_SERVER, S0001, 17189, FULL",
        "SQL_SERVER, S0001, 40501, FULL",
        "SQL_SERVER, S0001, 49918, FULL",
        "SQL_SERVER, S0001, 49920, FULL",
        "SQL_SERVER, S0001, 40613, NOT_READY",
        "SQL_SERVER, S0001, 18456, REJECTED",
        "SQL_SERVER, 08S01, 0, UNREACHABLE",
        "FIREBIRD, 08004, 335544744, FULL",
        "FIREBIRD, 28000, 335544472, REJECTED",
        "H2, 28000, 28000, REJECTED",
        "GENERIC, 08004, 0, REJECTED",
        "GENERIC, HY000, 0, UNREACHABLE"
    })
    void aFailedOpeningSaysWhatToDoNext(Dialect dialect, String state, int code, OpeningTrouble trouble) {
        assertThat(dialect.troubleOf(new SQLException("x", state, code))).isEqualTo(trouble);
    }

    /** A connection of a driver that has a method for the reset, which the server answers so. */
    public interface Resetting extends Connection {
        void resetPooledConnection();
    }

    private static Connection connection(Class<? extends Connection> type, int lockTimeout) {
        return (Connection) Proxy.newProxyInstance(
                DialectTest.class.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> switch (method.getName()) {
                    case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
                    case "getMetaData" -> answering(DatabaseMetaData.class, Map.of("getURL", "jdbc:sqlserver://db"));
                    case "createStatement" ->
                        answering(
                                Statement.class,
                                Map.of(
                                        "executeQuery",
                                        answering(ResultSet.class, Map.of("next", true, "getInt", lockTimeout))));
                    default -> null;
                });
    }

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                DialectTest.class.getClassLoader(),
                new Class<?>[] {type},
                (_, method, _) -> answers.get(method.getName())));
    }

    @Test
    void aSessionOfSqlServerThatWasNotResetIsNotHandedOn() throws SQLException {
        Dialect.SQL_SERVER.reset(connection(Resetting.class, -1), true);
        assertThatThrownBy(() -> Dialect.SQL_SERVER.reset(connection(Resetting.class, 2_104_711_047), true))
                .hasMessage("the server has not reset the session");
        // As jTDS: it can't be told to.
        assertThatThrownBy(() -> Dialect.SQL_SERVER.reset(connection(Connection.class, -1), true))
                .hasMessage("the driver can't reset a session of SQL Server");
        Dialect.SQL_SERVER.reset(connection(Connection.class, -1), false);
    }

    @Test
    void aSessionOfMySqlWhoseDriverCanNotResetItIsNotHandedOnAfterATextThatMayHaveLeftSomething() throws SQLException {
        Connection ofAnotherDriver = (Connection) Proxy.newProxyInstance(
                DialectTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, _, _) -> null);
        assertThatThrownBy(() -> Dialect.MYSQL.reset(ofAnotherDriver, true))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("can't reset");
        Dialect.MYSQL.reset(ofAnotherDriver, false);
    }

    @Test
    void theDriverIsToldHowLongItMayConnectUnlessTheApplicationHasSaidSo() {
        Properties properties = new Properties();
        Dialect.POSTGRESQL.addDefaults(properties, "jdbc:postgresql://db/x?connectTimeout=1", Duration.ofMillis(2500));
        assertThat(properties).containsEntry("loginTimeout", "3").doesNotContainKey("connectTimeout");
        properties.clear();
        properties.setProperty("connectTimeout", "7");
        Dialect.MYSQL.addDefaults(properties, "jdbc:mariadb://db/x", Duration.ofSeconds(2));
        assertThat(properties).containsEntry("connectTimeout", "7");
    }
}
