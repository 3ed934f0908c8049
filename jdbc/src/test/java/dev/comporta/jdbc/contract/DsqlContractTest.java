package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static dev.comporta.jdbc.db.TestDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.PostgresDatabase;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.junit.jupiter.api.Test;

/**
 * The profile of Aurora DSQL on PostgreSQL, whose protocol and errors it has. What it lacks is not used: no savepoints, no
 * DISCARD. It is reached as a cluster is, over TLS with a certificate that is verified.
 */
class DsqlContractTest extends ConnectionContract<PostgresDatabase> {
    DsqlContractTest() throws Exception {
        super(PostgresDatabase.withTls(Files.createTempDirectory("dsql")));
    }

    @Override
    void tune(ComportaDataSource pool) {
        pool.setProfile("dsql");
        pool.addDataSourceProperty("sslNegotiation", "postgres"); // this server is older than PostgreSQL 17
    }

    @Test
    void connectionsAreEncryptedWithoutBeingAskedFor() throws SQLException {
        try (ComportaDataSource pool = pool(1);
                Connection connection = pool.getConnection()) {
            assertThat(ask(connection, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                    .isEqualTo("t");
        }
    }

    @Test
    void aSavepointIsRefusedAndTheTransactionGoesOn() throws SQLException {
        try (ComportaDataSource pool = pool(1);
                Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            run(connection, "INSERT INTO item VALUES (1, 'before')");
            assertThatThrownBy(connection::setSavepoint)
                    .isInstanceOf(SQLFeatureNotSupportedException.class)
                    .hasMessageContaining("no savepoints");
            assertThatThrownBy(() -> connection.setSavepoint("s")).isInstanceOf(SQLFeatureNotSupportedException.class);
            assertThat(connection.getMetaData().supportsSavepoints()).isFalse();
            run(connection, "INSERT INTO item VALUES (2, 'after')");
            connection.commit();
            assertThat(ask(connection, "SELECT COUNT(*) FROM item")).isEqualTo("2");
            connection.rollback();
        }
    }

    @Test
    void settingsRolesAndTransactionsOfATextDoNotReachTheNextClientOfTheSameSession() throws SQLException {
        try (Connection admin = database.admin()) {
            run(admin, "DROP ROLE IF EXISTS auditor");
            run(admin, "CREATE ROLE auditor");
            run(admin, "GRANT auditor TO app");
        }
        try (ComportaDataSource pool = pool(1)) {
            String session;
            try (Connection connection = pool.getConnection()) {
                session = ask(connection, database.sessionId());
                run(connection, "SET statement_timeout = '47s'");
                run(connection, "SET ROLE auditor");
                run(connection, "BEGIN");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, database.sessionId())).isEqualTo(session);
                assertThat(ask(connection, "SHOW statement_timeout")).isEqualTo("0");
                assertThat(ask(connection, "SELECT current_user")).isEqualTo("app");
                run(connection, "INSERT INTO item VALUES (1, 'of the second')");
                try (Connection admin = database.admin()) {
                    assertThat(ask(admin, "SELECT COUNT(*) FROM item")).isEqualTo("1");
                }
            }
        }
    }

    /** Its conflicts come as 40001, or as a state of its own. */
    @Test
    void aConflictLeavesTheConnectionInThePool() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            for (String state : new String[] {"40001", "OC000", "OC001"}) {
                try (Connection connection = pool.getConnection()) {
                    assertThatThrownBy(() -> run(
                                    connection,
                                    "DO $$ BEGIN RAISE EXCEPTION 'change conflicts' USING ERRCODE = '" + state
                                            + "'; END $$"))
                            .isInstanceOfSatisfying(
                                    SQLException.class,
                                    e -> assertThat(e.getSQLState()).isEqualTo(state));
                }
            }
            pool.getConnection().close();
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    /** More connects than a cluster takes in a second. Here a statement of the opening is what fails so. */
    @Test
    void aConnectRateThatIsExceededIsNoReasonToCallTheClusterDown() throws Exception {
        try (Connection admin = database.admin();
                ComportaDataSource pool = pool(2)) {
            run(admin, "CREATE TABLE busy (a INT)");
            run(admin, """
                    CREATE FUNCTION admit() RETURNS VOID SECURITY DEFINER LANGUAGE plpgsql AS $$
                    BEGIN
                        IF EXISTS (SELECT FROM busy) THEN
                            RAISE EXCEPTION 'too many connects' USING ERRCODE = '53400';
                        END IF;
                    END $$
                    """);
            pool.setConnectionInitSql("SELECT admit()");
            FullServer.isTriedOn(
                    pool,
                    SQLException::getSQLState,
                    "53400",
                    () -> run(admin, "INSERT INTO busy VALUES (1)"),
                    () -> run(admin, "DELETE FROM busy"));
        }
    }
}
