package dev.comporta.jdbc.example;

import dev.comporta.jdbc.ServerDefinition;
import dev.comporta.jdbc.ServerRegistry;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.ServerStatistics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * A program with one registry over several databases. Its arguments are a name, a URL, a user and a password for each, and it prints
 * what each of them calls itself.
 */
public final class RegistryExample {
    private RegistryExample() {}

    public static void main(String[] args) throws SQLException {
        try (ServerRegistry registry = new ServerRegistry()) {
            for (int i = 0; i + 3 < args.length; i += 4) {
                registry.register(new ServerDefinition(
                        args[i], Map.of("jdbcUrl", args[i + 1], "maxConnections", "5", "minIdle", "0")));
                registry.mapUser(args[i], "ana", Credentials.of(args[i + 2], args[i + 3]));
            }
            for (String server : registry.servers()) {
                try (Connection connection = registry.acquire(server, "ana", Duration.ofMinutes(2))) {
                    String product = connection.getMetaData().getDatabaseProductName();
                    ServerStatistics now = registry.statistics(server);
                    System.out.printf("%s (%s): %s, %d loan%n", server, now.dbType(), product, now.acquires());
                }
            }
            System.out.printf("%d servers are up%n", registry.statistics().healthyServers());
        }
    }
}
