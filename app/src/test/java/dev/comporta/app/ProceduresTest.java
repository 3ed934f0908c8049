package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.PinReason;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a client that called a procedure keeps its connection, by the bucket's {@code procedures}. */
class ProceduresTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            share                       | EXEC leave_context                      | false
            pin                         | EXEC leave_context                      | true
            pin                         | EXEC look                               | true
            pin                         | SELECT 1                                | false
            '{pin: [leave_context]}'    | EXEC dbo.leave_context                  | true
            '{pin: [leave_context]}'    | EXEC look                               | false
            '{pin: [leave_context]}'    | EXEC ('EXEC leave_context')             | true
            '{pin: [leave_context]}'    | EXEC sp_executesql N'EXEC leave_context'| true
            '{share: [look]}'           | EXEC leave_context                      | true
            '{share: [look]}'           | EXEC look                               | false
            '{pin: [leave_context]}'    | {call leave_context}                    | true
            '{share: [look]}'           | {call look}                             | false
            """)
    void callersKeepTheirConnectionAsConfigured(String procedures, String sql, boolean pinned) throws Exception {
        String bucket = "max_connections: 2, trust_server_certificate: true, procedures: " + procedures;
        try (RunningProxy running = RunningProxy.start(directory, "", bucket);
                Connection client = running.connect()) {
            run(client, "CREATE PROCEDURE leave_context AS SET CONTEXT_INFO 0x0102");
            run(client, "CREATE PROCEDURE look AS SELECT 1");
            if (sql.startsWith("{")) {
                try (CallableStatement call = client.prepareCall(sql)) {
                    call.execute(); // a remote procedure call
                }
            } else {
                run(client, sql);
            }
            await().until(() -> running.proxy.glance("one").pool().pins().get(PinReason.PROCEDURE) == (pinned ? 1 : 0));
            await().until(() -> running.proxy.glance("one").pool().active() == (pinned ? 1 : 0));
            assertThat(ask(client, "SELECT 2")).isEqualTo("2");
        }
    }
}
