package dev.comporta.jdbc.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.ServerDefinition;
import dev.comporta.jdbc.ServerRegistry;
import dev.comporta.jdbc.db.FirebirdDatabase;
import dev.comporta.jdbc.db.H2Database;
import dev.comporta.jdbc.db.StandinDatabase;
import dev.comporta.jdbc.db.TestDatabase;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.ServerStatistics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A program with one registry over several kinds of database. */
class RegistryExampleTest {
    @Test
    void oneRegistryServesSeveralKindsOfDatabase() throws Exception {
        Map<String, TestDatabase> databases = new LinkedHashMap<>();
        databases.put("h2", new H2Database());
        databases.put("mssql", new StandinDatabase());
        databases.put("firebird", new FirebirdDatabase());
        try (ServerRegistry registry = new ServerRegistry()) {
            for (Map.Entry<String, TestDatabase> server : databases.entrySet()) {
                TestDatabase database = server.getValue();
                registry.register(new ServerDefinition(
                        server.getKey(), Map.of("jdbcUrl", database.url(), "maxConnections", "5", "minIdle", "0")));
                registry.mapUser(server.getKey(), "ana", Credentials.of(database.user(), database.password()));
            }
            for (String server : registry.servers()) {
                try (Connection connection = registry.acquire(server, "ana", Duration.ofMinutes(2));
                        Statement statement = connection.createStatement();
                        ResultSet rows =
                                statement.executeQuery(databases.get(server).sessionId())) {
                    assertThat(rows.next()).isTrue();
                }
                ServerStatistics now = registry.statistics(server);
                assertThat(now.dbType()).isEqualTo(server);
                assertThat(now.healthy()).isTrue();
                assertThat(now.acquires()).isEqualTo(1);
            }
            assertThat(registry.statistics().healthyServers()).isEqualTo(3);
        } finally {
            for (TestDatabase database : databases.values()) {
                database.stop();
            }
        }
    }
}
