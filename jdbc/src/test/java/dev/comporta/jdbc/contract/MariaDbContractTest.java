package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static dev.comporta.jdbc.db.TestDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.MariaDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbContractTest extends DriverContract<MariaDatabase> {
    MariaDbContractTest() throws Exception {
        super(new MariaDatabase());
    }

    @Test
    void aUserWithAsManyConnectionsAsItMayHaveWaitsForRoom() throws Exception {
        try (ComportaDataSource pool = pool(2)) {
            FullServer.isTriedOn(
                    pool, SQLException::getErrorCode, 1226, () -> database.limit(1), () -> database.limit(5));
        } finally {
            database.limit(0);
        }
    }

    @Test
    void aServerWithAsManyConnectionsOfEachUserAsItTakesIsTriedOn() throws Exception {
        try (ComportaDataSource pool = pool(2)) {
            FullServer.isTriedOn(
                    pool,
                    SQLException::getErrorCode,
                    1203,
                    () -> database.roomForEach(1),
                    () -> database.roomForEach(1000));
        } finally {
            database.roomForEach(1000);
        }
    }

    @Test
    void aServerWithAsManyConnectionsAsItTakesIsTriedOn() throws Exception {
        int room = 10; // the server has a place beyond it for the administrator, who has a session already
        List<Connection> others = new ArrayList<>();
        try (ComportaDataSource pool = pool(3)) {
            FullServer.isTriedOn(
                    pool,
                    SQLException::getErrorCode,
                    1040,
                    () -> {
                        database.room(room);
                        while (others.size() < room - 2) {
                            others.add(database.admin());
                        }
                    },
                    () -> close(others));
        } finally {
            close(others);
            database.room(150);
        }
    }

    private static void close(List<Connection> connections) throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT @x := 'left'",
                "SELECT 'left' INTO @x",
                "SET @x = 'left'",
                "SELECT GET_LOCK('a lock', 1)",
                "CREATE TEMPORARY TABLE left_behind (a INT)",
                "LOCK TABLES item READ",
                "USE information_schema",
                "SET sql_mode = 'ANSI_QUOTES'",
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "PREPARE p FROM 'SELECT 1'",
            })
    void whatAQueryOrCommandLeavesInTheSessionDoesNotReachTheNextClient(String sql) throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            String before;
            try (Connection connection = pool.getConnection()) {
                before = left(connection);
                run(connection, sql);
                assertThat(findsNothing(connection, before)).isFalse();
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(left(connection)).isEqualTo(before);
                assertThat(findsNothing(connection, before)).isTrue();
            }
        }
    }

    /** No value, no lock, no temporary table, no statement, no locked table. */
    private static boolean findsNothing(Connection connection, String before) throws SQLException {
        return left(connection).equals(before)
                && !works(connection, "SELECT a FROM left_behind")
                && !works(connection, "EXECUTE p")
                && works(connection, "DELETE FROM item WHERE 1 = 0");
    }

    private static boolean works(Connection connection, String sql) {
        try {
            run(connection, sql);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** The driver does not set what it believes to be so. */
    @Test
    void theUsualIsolationLevelIsThatOfTheServersSessionAfterAReset() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, "SELECT @@tx_isolation")).isEqualTo("SERIALIZABLE");
                run(connection, "SET @x = 'left'");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, "SELECT COALESCE(@x, 'reset')")).isEqualTo("reset");
                assertThat(ask(connection, "SELECT @@tx_isolation")).isEqualTo("SERIALIZABLE");
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    /** No statement leaves a session without a database: the connection ends. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDatabaseThatAClientChoseIsNotThatOfTheNextOne(boolean byText) throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setJdbcUrl(database.url().replace("/test", "/"));
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getCatalog()).isNull();
                if (byText) {
                    run(connection, "USE test");
                } else {
                    connection.setCatalog("test");
                }
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, "SELECT COALESCE(DATABASE(), 'none')"))
                        .isEqualTo("none");
            }
        }
    }

    private static String left(Connection connection) throws SQLException {
        return ask(
                        connection,
                        "SELECT CONCAT_WS(' ', COALESCE(@x, 'none'), COALESCE(IS_USED_LOCK('a lock'), 'free'), DATABASE(), "
                                + "@@sql_mode, @@tx_isolation, @@character_set_client, @@character_set_results, "
                                + "@@collation_connection, @@time_zone)")
                + connection.getCatalog()
                + connection.getTransactionIsolation();
    }
}
