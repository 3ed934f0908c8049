package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.PostgresDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A PostgreSQL whose {@code max_connections} is reached. */
class FullPostgresTest {
    @Test
    void maxConnectionsOfTheServerAreNoReasonToCallItDown() throws Exception {
        PostgresDatabase database = PostgresDatabase.withRoomFor(2);
        try (ComportaDataSource pool = new ComportaDataSource()) {
            pool.setJdbcUrl(database.url());
            pool.setUsername(database.user());
            pool.setPassword(database.password());
            pool.setMaximumPoolSize(4);
            pool.setMinimumIdle(0);
            Connection[] other = new Connection[1];
            FullServer.isTriedOn(
                    pool,
                    SQLException::getSQLState,
                    "53300",
                    () -> other[0] = DriverManager.getConnection(database.url(), database.user(), database.password()),
                    () -> other[0].close());
        } finally {
            database.stop();
        }
    }
}
