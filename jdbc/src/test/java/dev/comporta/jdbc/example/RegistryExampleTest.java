package dev.comporta.jdbc.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.db.FirebirdDatabase;
import dev.comporta.jdbc.db.H2Database;
import dev.comporta.jdbc.db.PostgresDatabase;
import dev.comporta.jdbc.db.StandinDatabase;
import dev.comporta.jdbc.db.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegistryExampleTest {
    @Test
    void oneRegistryServesFourKindsOfDatabase() throws Exception {
        Map<String, TestDatabase> databases = new LinkedHashMap<>();
        try {
            databases.put("memory", new H2Database());
            databases.put("orders", new StandinDatabase());
            databases.put("legacy", new FirebirdDatabase());
            databases.put("web", new PostgresDatabase());
            List<String> arguments = new ArrayList<>();
            databases.forEach((name, database) ->
                    arguments.addAll(List.of(name, database.url(), database.user(), database.password())));
            assertThat(printed(arguments))
                    .contains("memory (h2): H2, 1 loan")
                    .contains("orders (mssql): Microsoft SQL Server, 1 loan")
                    .containsPattern("legacy \\(firebird\\): Firebird.*, 1 loan")
                    .containsPattern("web \\(postgresql\\): PostgreSQL, 1 loan")
                    .contains("4 servers are up");
        } finally {
            for (TestDatabase database : databases.values()) {
                database.stop();
            }
        }
    }

    private static String printed(List<String> arguments) throws Exception {
        PrintStream usual = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(captured);
            RegistryExample.main(arguments.toArray(String[]::new));
        } finally {
            System.setOut(usual);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
