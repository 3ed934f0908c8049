package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the admin API's commands do to a running instance. */
@Timeout(90)
class AdminApiCommandsTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BUCKET = "encrypt: off, max_connections: 2";
    private static final String ONE = "/api/v1/buckets/one";

    @TempDir
    private Path directory;

    private RunningProxy start() throws IOException {
        return RunningProxy.start(directory, "instance_id: one, admin: {token: " + TOKEN + "}", BUCKET);
    }

    @Test
    void aPausedBucketHoldsRequestsUntilItIsResumed() throws Exception {
        try (RunningProxy running = start();
                Connection client = running.connect()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            assertThat(caller.post(ONE + "/pause", "{}").message()).startsWith("Bucket one paused");
            assertThat(caller.get(ONE).column("state")).containsExactly("paused");
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return ask(client, "SELECT 'served'");
                } catch (Exception e) {
                    return e.toString();
                }
            });
            await().untilAsserted(() ->
                    assertThat(caller.get("/api/v1/waiters").rows()).hasSize(1));
            assertThat(answer).isNotDone();
            ApiCaller.Answer resumed = caller.post(ONE + "/resume", "");
            assertThat(resumed.message()).isEqualTo("Bucket one resumed.");
            assertThat(String.valueOf(resumed.body().get("audit")))
                    .startsWith("console command by api from 127.0.0.1 (")
                    .endsWith("): RESUME one: done");
            assertThat(answer.get()).isEqualTo("served");
            assertThat(caller.post(ONE + "/reconnect", "").message())
                    .startsWith("Bucket one reconnecting: 1 server connections");
        }
    }

    @Test
    void aKilledClientIsGone() throws Exception {
        try (RunningProxy running = start();
                Connection client = running.connect()) {
            ask(client, "SELECT 1");
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            Object number = caller.get("/api/v1/clients").column("client_id").getFirst();
            assertThat(caller.send("DELETE", "/api/v1/clients/" + number, "").message())
                    .isEqualTo("Client " + number + " closed.");
            assertThatThrownBy(() -> ask(client, "SELECT 1")).isInstanceOf(java.sql.SQLException.class);
            await().untilAsserted(() ->
                    assertThat(caller.get("/api/v1/clients").rows()).isEmpty());
        }
    }

    @Test
    void aSettingChangesUntilTheNextReload() throws Exception {
        try (RunningProxy running = start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            String inForce = "/api/v1/settings?name=proxy.query_timeout";
            assertThat(caller.send("PATCH", "/api/v1/settings", "{\"key\":\"query_timeout\",\"value\":\"10m\"}")
                            .message())
                    .startsWith("proxy.query_timeout is '10m'.");
            assertThat(caller.get(inForce).column("value")).containsExactly("10m");
            assertThat(caller.send("PATCH", "/api/v1/settings", "{\"key\":\"one.max_queue_size\",\"value\":7}")
                            .message())
                    .startsWith("buckets[one].max_queue_size is '7'.");
            assertThat(caller.post("/api/v1/reload", "").message()).contains("proxy.query_timeout: 0s instead of 10m");
            assertThat(caller.get(inForce).column("source")).containsExactly("default");
        }
    }

    @Test
    void aBucketIsAddedChangedAndRemoved() throws Exception {
        try (RunningProxy running = start();
                Standin other = Standin.builder()
                        .database("Other")
                        .login("sa", RunningProxy.PASSWORD)
                        .start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            ApiCaller.Answer created = caller.post(
                    "/api/v1/buckets",
                    "{\"id\": \"two\", \"host\": \"127.0.0.1\", \"port\": " + other.port()
                            + ", \"encrypt\": \"off\", \"max_connections\": 3, \"database\": \"Other\","
                            + " \"server_names\": [\"a.internal\", \"b.internal\"], \"health\": {\"interval\": \"20s\"},"
                            + " \"password\": \"hush\", \"username\": \"sa\"}");
            assertThat(created.status()).as("%s", created.body()).isEqualTo(201);
            assertThat(created.message())
                    .contains("Bucket two added.", "add to buckets.yaml:", "interval: 20s")
                    .doesNotContain("hush");
            assertThat(created.response().headers().firstValue("Location")).hasValue("/api/v1/buckets/two");
            assertThat(caller.get("/api/v1/settings?name=buckets%5Btwo%5D.server_names")
                            .column("value")
                            .toString())
                    .contains("a.internal", "b.internal");
            try (Connection client =
                    running.connect("main", "user=sa;databaseName=Other;password=" + RunningProxy.PASSWORD)) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            }
            ApiCaller.Answer altered = caller.send(
                    "PATCH",
                    "/api/v1/buckets/two",
                    "{\"max_connections\": 5, \"health\": {\"interval\": null, \"timeout\": \"2s\"}}");
            assertThat(altered.message()).contains("Bucket two changed.", "max_connections: 5", "health.interval");
            assertThat(caller.get("/api/v1/buckets/two").column("max_connections"))
                    .containsExactly(5);
            assertThat(caller.get("/api/v1/settings?name=buckets%5Btwo%5D.health.interval")
                            .column("value"))
                    .as("null is the default")
                    .containsExactly("30s");
            assertThat(caller.send("DELETE", "/api/v1/buckets/two", "").message())
                    .startsWith("Bucket two removed");
            assertThat(caller.get("/api/v1/buckets/two").status()).isEqualTo(404);
        }
    }

    @Test
    void everyCommandLeavesAnAuditLineEvenARefusedOne() throws Exception {
        try (LogLines audit = new LogLines("dev.comporta.audit");
                RunningProxy running = start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            caller.post(ONE + "/pause", "");
            caller.post(ONE + "/resume", "");
            caller.post("/api/v1/buckets/nobody/pause", "");
            caller.send("DELETE", "/api/v1/clients/5", "");
            caller.send("PATCH", "/api/v1/settings", "{\"key\":\"one.password\",\"value\":\"hush\"}");
            caller.post("/api/v1/sql", "{\"sql\":\"RELOAD\"}");
            String by = "console command by api from 127.0.0.1 (test/1.0): ";
            assertThat(audit.lines())
                    .filteredOn(line -> line.startsWith(by))
                    .satisfiesExactly(
                            line -> assertThat(line).isEqualTo(by + "PAUSE one: done"),
                            line -> assertThat(line).isEqualTo(by + "RESUME one: done"),
                            line -> assertThat(line).startsWith(by + "PAUSE nobody: refused: There is no bucket"),
                            line -> assertThat(line).startsWith(by + "KILL 5: refused: There is no client 5"),
                            line -> assertThat(line).startsWith(by + "SET one.password = '***': "),
                            line -> assertThat(line).isEqualTo(by + "RELOAD: done"));
            assertThat(caller.get("/api/v1/events?kind=command&login=api").rows())
                    .hasSize(6);
        }
    }

    @Test
    void whoCommandsADrainGetsTheAnswer() throws Exception {
        try (RunningProxy running = start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            ApiCaller.Answer drained = caller.post("/api/v1/drain", "");
            assertThat(List.of(drained.status(), drained.message().startsWith("Draining: ")))
                    .isEqualTo(List.of(200, true));
            await().untilAsserted(() -> assertThatThrownBy(() -> Http.health(running.instance))
                    .as("the instance has ended")
                    .isInstanceOf(java.io.UncheckedIOException.class));
        }
    }
}
