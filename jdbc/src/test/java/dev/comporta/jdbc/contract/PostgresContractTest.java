package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static dev.comporta.jdbc.db.TestDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.PostgresDatabase;
import dev.comporta.pool.state.CloseReason;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresContractTest extends DriverContract<PostgresDatabase> {
    PostgresContractTest() throws Exception {
        super(new PostgresDatabase());
    }

    @Test
    void aUserWithAsManyConnectionsAsItMayHaveWaitsForRoom() throws Exception {
        try (ComportaDataSource pool = pool(2)) {
            FullServer.isTriedOn(
                    pool, SQLException::getSQLState, "53300", () -> database.limit(1), () -> database.limit(5));
        } finally {
            database.limit(-1);
        }
    }

    /** By the server's own clock, from before the reservoir was emptied until it was full again. */
    @Test
    void theReservoirRefillsAtTheAllowedRate() throws SQLException {
        int rate = 10;
        int burst = 3;
        int ready = 8;
        register(2 * ready, ready, "connectRate", "100", "connectBurst", "100");
        registry.warmUp(server, "", ready, PATIENCE);
        registry.update(definition(2 * ready, ready, "connectRate", "" + rate, "connectBurst", "" + burst));
        List<Connection> taken = new ArrayList<>();
        String begun;
        try (Connection admin = database.admin()) {
            begun = ask(admin, "SELECT clock_timestamp()");
            for (int i = 0; i < ready; i++) {
                taken.add(connect());
            }
            assertThat(now().foundNothingReady()).isZero();
            await().atMost(PATIENCE).until(() -> now().idle() == ready);
            double seconds = Double.parseDouble(ask(
                    admin,
                    "SELECT extract(epoch FROM max(backend_start) - TIMESTAMPTZ '" + begun
                            + "') FROM pg_stat_activity WHERE usename = 'app'"));
            assertThat(seconds).isGreaterThanOrEqualTo((double) (ready - burst) / rate);
        }
        for (Connection connection : taken) {
            connection.close();
        }
    }

    /** A session with temporary tables takes the server a while to end; made by a function, they are not seen, and not reset. */
    @Test
    void aSlotPassesOnWhenTheServerHasEndedTheSessionAndNotBefore() throws SQLException {
        try (Connection admin = database.admin()) {
            run(admin, """
                    CREATE FUNCTION make_tables() RETURNS VOID LANGUAGE plpgsql AS $$
                    BEGIN
                        FOR i IN 1..2000 LOOP EXECUTE 'CREATE TEMP TABLE t' || i || ' (a INT)'; END LOOP;
                    END $$
                    """);
        }
        int before = database.sessions();
        try (ComportaDataSource pool = pool(1)) {
            for (int i = 0; i < 3; i++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(database.sessions() - before).isEqualTo(1);
                    ask(connection, "SELECT make_tables()");
                    pool.softEvictConnections();
                }
            }
            pool.getConnection().close();
            assertThat(pool.statistics().resets()).isZero();
            assertThat(pool.statistics().closed().get(CloseReason.END_UNSEEN)).isZero();
        }
    }

    /** What pg_stat_activity says of a session. */
    private String stateOf(String session) throws SQLException {
        try (Connection admin = database.admin()) {
            return ask(admin, "SELECT state FROM pg_stat_activity WHERE pid = " + session);
        }
    }

    @Test
    void aQuestionOfTheDriversOwnLeavesNoTransactionOpenOutsideOfAutoCommit() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setAutoCommit(false);
            String session;
            try (Connection connection = pool.getConnection()) {
                session = ask(connection, database.sessionId());
                connection.commit();
                assertThat(connection.getSchema()).isEqualTo("public"); // the driver asks the server
                assertThat(stateOf(session)).isEqualTo("idle in transaction");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(stateOf(session)).isEqualTo("idle");
                connection.setReadOnly(true); // fails inside of a transaction
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void metaDataOfAResultThatIsAskedForAfterTheCommitLeavesNoTransactionOpen() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setAutoCommit(false);
            String session;
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id, pg_backend_pid() FROM item")) {
                session = ask(connection, database.sessionId());
                connection.commit();
                ResultSetMetaData columns = rows.getMetaData();
                assertThat(columns.isAutoIncrement(1)).isFalse(); // the driver asks the server
                assertThat(stateOf(session)).isEqualTo("idle in transaction");
            }
            try (Connection _ = pool.getConnection()) {
                assertThat(stateOf(session)).isEqualTo("idle");
            }
        }
    }

    /** To put it back inside of a transaction that the next client rolls back would undo it. */
    @Test
    void aSchemaStaysPutBackWhenTheNextClientRollsBack() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setAutoCommit(false);
            try (Connection connection = pool.getConnection()) {
                connection.setSchema("pg_catalog");
                connection.commit();
            }
            try (Connection connection = pool.getConnection()) {
                ask(connection, "SELECT 1");
                connection.rollback();
                assertThat(connection.getSchema()).isEqualTo("public");
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void theUsualSchemaStaysAfterAFullResetWhenTheNextClientRollsBack() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setAutoCommit(false);
            pool.setSchema("pg_catalog");
            try (Connection connection = pool.getConnection()) {
                run(connection, "SET search_path = public");
                connection.commit();
            }
            try (Connection connection = pool.getConnection()) {
                ask(connection, "SELECT 1");
                connection.rollback();
                assertThat(connection.getSchema()).isEqualTo("pg_catalog");
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    /** JDBC's schema is the first of the path: to put that back alone would lose the others. */
    @Test
    void aPathOfSeveralSchemasIsPutBackWhole() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setConnectionInitSql("SET search_path = public, information_schema");
            try (Connection connection = pool.getConnection()) {
                connection.setSchema("pg_catalog");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, "SHOW search_path")).isEqualTo("public, information_schema");
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void aSchemaMayBeSetToNone() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                connection.setSchema("pg_catalog");
                connection.setSchema(null); // pgjdbc: the server's default
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getSchema()).isEqualTo("public");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 AS a INTO TEMP left_behind",
                "WITH x AS (SELECT 1 AS a) SELECT a INTO TEMPORARY left_behind FROM x",
                "SELECT pg_advisory_lock(4711)",
                "SELECT pg_try_advisory_lock_shared(4711)",
                "SELECT set_config('my.y', 'left', false)",
                "CREATE TEMP TABLE left_behind (a INT)",
                "SET ROLE pg_monitor",
                "SET search_path = pg_catalog",
                "LISTEN something",
                "PREPARE p AS SELECT 1",
                "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "DO $$ BEGIN PERFORM set_config('my.y', 'left', false); END $$",
            })
    void whatAQueryOrCommandLeavesInTheSessionDoesNotReachTheNextClient(String sql) throws SQLException {
        String leftOf = """
                SELECT concat_ws(' ',
                    (SELECT count(*) FROM pg_class WHERE relname = 'left_behind' AND pg_table_is_visible(oid)),
                    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),
                    coalesce(nullif(current_setting('my.y', true), ''), 'none'),
                    current_user,
                    current_setting('search_path'),
                    (SELECT count(*) FROM pg_listening_channels()),
                    (SELECT count(*) FROM pg_prepared_statements WHERE name = 'p'),
                    (SELECT count(*) FROM pg_cursors WHERE name = 'c'),
                    current_setting('default_transaction_read_only'))
                """;
        try (Connection admin = database.admin()) {
            run(admin, "GRANT pg_monitor TO app");
        }
        try (ComportaDataSource pool = pool(1)) {
            String session;
            String before;
            try (Connection connection = pool.getConnection()) {
                session = ask(connection, database.sessionId());
                before = ask(connection, leftOf);
                run(connection, sql);
                assertThat(ask(connection, leftOf)).isNotEqualTo(before);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, database.sessionId())).isEqualTo(session);
                assertThat(ask(connection, leftOf)).isEqualTo(before);
            }
        }
    }
}
