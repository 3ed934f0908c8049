package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HealthQueryTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"query", "full"})
    void connectionsThatAnswerItStay(String type) throws Exception {
        // Before each use, not by the clock: that would give an answer no more time than passes between two checks.
        String bucket = "max_connections: 1, trust_server_certificate: true, validation: {on_acquire: true},"
                + " health: {type: " + type + ", query: \"SELECT 1\"}";
        try (RunningProxy running = RunningProxy.start(directory, "", bucket);
                Connection client = running.connect()) {
            String spid = ask(client, "SELECT @@SPID");
            long asked = running.server.counters().requests();
            assertThat(ask(client, "SELECT @@SPID")).isEqualTo(spid);
            assertThat(running.server.counters().requests() - asked)
                    .as("a check, and a request")
                    .isEqualTo(2);
        }
    }

    /** Only a query that is really asked can fail. */
    @ParameterizedTest
    @ValueSource(strings = {"query", "full"})
    void connectionsThatDoNotAreReplaced(String type) throws Exception {
        try (RunningProxy running =
                        RunningProxy.start(directory, "", checkedOften(type, "SELECT 1 FROM no_such_table"));
                Connection client = running.connect()) {
            await().until(() -> running.server.counters().logins() > 1
                    || running.server.counters().sessionsOpen() == 0);
            assertThat(client.isValid(5)).isTrue();
            assertThat(running.server.counters().logins()).isGreaterThan(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET LANGUAGE Portuguese",
                "USE master",
                "BEGIN TRANSACTION",
                "SELECT 1 AS one INTO #left",
                "EXEC dbo.health",
                "whatever this is"
            })
    void oneThatMayChangeTheSessionIsRefused(String query) {
        assertThatThrownBy(() -> RunningProxy.start(directory, "", checkedOften("query", query)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("bucket one: health.query \"" + query + "\" may change the session");
    }

    private static String checkedOften(String type, String query) {
        return "max_connections: 1, trust_server_certificate: true, health: {type: " + type + ", query: \"" + query
                + "\", interval: 100ms, timeout: 100ms}";
    }
}
