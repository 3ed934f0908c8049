package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.View;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The admin API: who may use it, and what its views and SQL answer. */
@Timeout(90)
class AdminApiTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BUCKET = "encrypt: off, max_connections: 2";

    @TempDir
    private Path directory;

    private RunningProxy start(String admin) throws IOException {
        return RunningProxy.start(directory, "instance_id: one" + admin, BUCKET);
    }

    private RunningProxy start() throws IOException {
        return start(", admin: {token: " + TOKEN + "}");
    }

    @Test
    void withoutATokenItIsClosedAndSaysWhichKeyOpensIt() throws Exception {
        try (RunningProxy running = start("")) {
            ApiCaller.Answer closed = new ApiCaller(running.instance, "").get("/api/v1/pools");
            assertThat(closed.status()).isEqualTo(404);
            assertThat(closed.refusal()).contains("closed", "proxy.admin.token");
            assertThat(new ApiCaller(running.instance, "any")
                            .post("/api/v1/drain", "")
                            .status())
                    .isEqualTo(404);
            assertThat(Http.health(running.instance).statusCode()).isEqualTo(200);

            running.reload(
                    "instance_id: one, admin: {token: " + TOKEN + "}",
                    RunningProxy.bucket(running.server, "one", BUCKET));
            assertThat(new ApiCaller(running.instance, TOKEN)
                            .get("/api/v1/pools")
                            .status())
                    .as("a token opens it without a restart")
                    .isEqualTo(200);
        }
    }

    @Test
    void aMissingTokenIsRefusedAndAWrongOneLateAndInOneLineEveryTenSeconds() throws Exception {
        long begun = System.nanoTime();
        try (LogLines log = new LogLines("dev.comporta.app.api.ApiAccess");
                RunningProxy running = start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ApiCaller.Answer missing = new ApiCaller(running.instance, "").get("/api/v1/pools");
            assertThat(missing.refusal()).startsWith("401 ").contains("Authorization: Bearer");
            assertThat(missing.response().headers().firstValue("WWW-Authenticate"))
                    .hasValue("Bearer realm=\"comporta\"");

            for (String wrong : List.of(TOKEN + "0", TOKEN.substring(1), TOKEN.toUpperCase(Locale.ROOT))) {
                long before = System.nanoTime();
                ApiCaller.Answer refused = new ApiCaller(running.instance, wrong).post("/api/v1/drain", "");
                assertThat(refused.status()).isEqualTo(401);
                assertThat(System.nanoTime() - before).isGreaterThan(400_000_000);
                assertThat(refused.response().headers().firstValue("WWW-Authenticate"))
                        .hasValue("Bearer realm=\"comporta\", error=\"invalid_token\"");
            }
            List<Future<ApiCaller.Answer>> flood = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                flood.add(threads.submit(() -> new ApiCaller(running.instance, "guess").get("/api/v1/pools")));
            }
            assertThat(Http.health(running.instance).statusCode())
                    .as("probers find a place all the same")
                    .isEqualTo(200);
            for (Future<ApiCaller.Answer> guess : flood) {
                assertThat(guess.get().status()).isEqualTo(401);
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            assertThat(log.lines())
                    .as("after %d s", seconds)
                    .hasSizeBetween(1, (int) (1 + seconds / 10))
                    .first()
                    .asString()
                    .startsWith("admin API: wrong token from 127.0.0.1");

            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            ApiCaller.Answer events = caller.get("/api/v1/events?kind=login%20refused");
            assertThat(events.column("login")).containsOnly("api");
            assertThat(events.column("times")).containsExactly(43);
            assertThat(events.body().toString()).doesNotContain(TOKEN);
        }
    }

    @Test
    void everyViewIsThereWithItsColumns() throws Exception {
        try (RunningProxy running = start();
                Connection client = running.connect()) {
            ask(client, "SELECT 1");
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            List<String> empty = new ArrayList<>();
            for (View view : running.instance.console().catalog().shown().values()) {
                ApiCaller.Answer answer = caller.get("/api/v1/" + view.shownAs().toLowerCase(Locale.ROOT));
                assertThat(answer.status()).as(view.name()).isEqualTo(200);
                if (answer.rows().isEmpty()) {
                    empty.add(view.name());
                }
                List<String> columns = view.columns().stream().map(Column::name).toList();
                assertThat(answer.rows())
                        .as(view.name())
                        .allSatisfy(row -> assertThat(row.keySet()).containsExactlyElementsOf(columns));
                assertThat(columns).as("they are parameters of every view").doesNotContain("order", "limit");
            }
            assertThat(empty).as("of those nothing can be seen").isSubsetOf("waiters", "pins", "events");
            Map<String, Object> pool = caller.get("/api/v1/pools").rows().getFirst();
            assertThat(pool)
                    .containsEntry("server_name", "one")
                    .containsEntry("clients", 1)
                    .containsEntry("healthy", true);
            assertThat(caller.get("/api/v1/buckets/one").column("max_connections"))
                    .containsExactly(2);
            Object number = caller.get("/api/v1/clients").column("client_id").getFirst();
            ApiCaller.Answer one = caller.get("/api/v1/clients/" + number);
            assertThat(one.column("login")).containsExactly("sa");
            assertThat(one.column("pin_reason")).as("NULL").containsExactly((Object) null);
            assertThat(String.valueOf(one.column("connected_at").getFirst()))
                    .matches("20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z");
        }
    }

    @Test
    void rowsAreFilteredOrderedAndLimited() throws Exception {
        try (RunningProxy running = start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            assertThat(caller.get("/api/v1/settings?name=proxy.queue_timeout").column("value"))
                    .containsExactly("30s");
            assertThat(caller.get("/api/v1/settings?name=proxy.metrics_port&name=proxy.event_loops&order=name")
                            .column("value"))
                    .as("any of the values")
                    .containsExactly("2", "0");
            assertThat(caller.get("/api/v1/settings?source=file&changes_at=run%20time&order=-name&limit=2")
                            .column("name"))
                    .containsExactly("proxy.admin.token", "buckets[one].min_idle");
            assertThat(caller.get("/api/v1/settings?name=proxy.admin.token").column("value"))
                    .containsExactly("********");
            assertThat(caller.get("/api/v1/settings?default_value=&name=proxy.instance_id")
                            .rows())
                    .as("an empty value is NULL")
                    .hasSize(1);
            assertThat(caller.get("/api/v1/buckets?port=1").rows()).isEmpty();
            assertThat(caller.get("/api/v1/pools?healthy=true").rows()).hasSize(1);
            assertThat(caller.get("/api/v1/buckets?server_name=x'%20OR%20'1'='1")
                            .rows())
                    .isEmpty();
            caller.post("/api/v1/reload", "");
            Map<String, Object> event =
                    caller.get("/api/v1/events?kind=reload").rows().getFirst();
            assertThat(caller.get("/api/v1/events?at=" + event.get("at")).rows())
                    .contains(event);
        }
    }

    @Test
    void sqlAnswersWithResultsAndMessages() throws Exception {
        try (RunningProxy running = start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            assertThat(caller.post(
                                    "/api/v1/sql",
                                    "{\"sql\": \"SELECT 1 AS a, NULL AS b, 'é' AS c, 0.5 AS d; SET NOCOUNT ON; RELOAD\\n"
                                            + "SELECT server_name FROM sys.buckets\"}")
                            .response()
                            .body())
                    .isEqualTo("{\"results\":[{\"columns\":[{\"name\":\"a\",\"type\":\"INT\"},{\"name\":\"b\",\"type\":"
                            + "\"INT\"},{\"name\":\"c\",\"type\":\"NVARCHAR\"},{\"name\":\"d\",\"type\":\"FLOAT\"}],"
                            + "\"rows\":[[1,null,\"é\",0.5]]},{\"columns\":[{\"name\":\"server_name\",\"type\":"
                            + "\"NVARCHAR\"}],\"rows\":[[\"one\"]]}],"
                            + "\"messages\":[\"Configuration reloaded: nothing changed.\"]}");
            ApiCaller.Answer wrong = caller.post("/api/v1/sql", "{\"sql\": \"SELECT\\n  nonsense FROM sys.buckets\"}");
            assertThat(wrong.status()).isEqualTo(400);
            assertThat(wrong.body()).containsOnlyKeys("error");
            assertThat(wrong.error())
                    .containsEntry("number", 207)
                    .containsEntry("line", 2)
                    .containsEntry("column", 3)
                    .containsKey("message");
            ApiCaller.Answer half = caller.post("/api/v1/sql", "{\"sql\": \"RELOAD\\nRESUME one\\nRELOAD\"}");
            assertThat(half.refusal()).isEqualTo("400 Bucket one is not paused.");
            assertThat(half.body())
                    .as("what ran before")
                    .containsEntry("messages", List.of("Configuration reloaded: nothing changed."));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET|/api/v1/pool||404 there is nothing at /api/v1/pool. Did you mean /api/v1/pools?",
                "GET|/api/v1||404 there is nothing at /api/v1. Below /api/v1 there is: buckets, clients,",
                "GET|/api/v1/buckets/ane||404 There is no bucket 'ane'. Did you mean 'one'?",
                "GET|/api/v1/clients/77||404 There is no client '77'. GET /api/v1/clients lists them.",
                "GET|/api/v1/clients/x||404 There is no client 'x'.",
                "GET|/api/v1/pools?servername=one||400 'pools' has no column 'servername'. Did you mean 'server_name'?",
                "GET|/api/v1/pools?order=-activ||400 'pools' has no column 'activ'. Did you mean 'active'?",
                "GET|/api/v1/pools?limit=0||400 'limit' must be a number from 1 to 100000.",
                "GET|/api/v1/pools?limit=x||400 'limit' must be a number from 1 to 100000.",
                "GET|/api/v1/pools?active=x||400 Conversion failed",
                "PUT|/api/v1/pools|{}|405 PUT is not served here; use GET, HEAD.",
                "GET|/api/v1/sql||405 GET is not served here; use POST.",
                "POST|/api/v1/sql|{}|400 The body must have the member 'sql', a text.",
                "POST|/api/v1/sql|{\"sql\": 5}|400 The body must have the member 'sql', a text.",
                "POST|/api/v1/sql|{\"sq\": \"SHOW POOLS\"}|400 The body has an unknown member 'sq'. Did you mean 'sql'?",
                "POST|/api/v1/sql|{\"sql\": \"SHOW POOLS\"|400 The body is not JSON: ",
                "POST|/api/v1/sql|[]|400 The body is not a JSON object.",
                "POST|/api/v1/buckets/ane/pause||404 There is no bucket 'ane'. Did you mean 'one'?",
                "POST|/api/v1/buckets/one/resume||409 Bucket one is not paused.",
                "POST|/api/v1/buckets/one/stop||404 there is nothing at /api/v1/buckets/one/stop.",
                "POST|/api/v1/buckets/one/pause|{\"now\": true}|400 The body has an unknown member 'now'.",
                "DELETE|/api/v1/clients/77||404 There is no client 77.",
                "DELETE|/api/v1/buckets/ane||404 There is no bucket 'ane'.",
                "PATCH|/api/v1/buckets/ane|{\"min_idle\": 1}|404 There is no bucket 'ane'.",
                "PATCH|/api/v1/buckets/one|{}|400 The body names no key.",
                "PATCH|/api/v1/buckets/one|{\"min_idel\": 1}|400 There is no option 'min_idel'. Did you mean 'min_idle'?",
                "PATCH|/api/v1/buckets/one|{\"host\": \"h\"}|400 'host' can't change while the bucket runs.",
                "PATCH|/api/v1/buckets/one|{\"logins\": [{\"username\": \"a\"}]}|400 'logins' must be a list of plain",
                "PATCH|/api/v1/settings|{\"key\": \"query_timeot\", \"value\": \"1s\"}|400 There is no setting",
                "PATCH|/api/v1/settings|{\"key\": \"query_timeout\"}|400 The body must have the member 'value'.",
                "PATCH|/api/v1/settings|{\"key\": \"query_timeout\", \"value\": null}|400 'value' is null.",
                "PATCH|/api/v1/settings|{\"key\": \"proxy.listen_port\", \"value\": 5}|400 'proxy.listen_port' can only be changed by a",
                "POST|/api/v1/buckets|{\"host\": \"h\"}|400 The body must have the member 'id', a text.",
                "POST|/api/v1/buckets|{\"id\": \"one\", \"host\": \"h\"}|409 There is already a bucket 'one'.",
                "POST|/api/v1/buckets|{\"id\": \"two\", \"host\": \"h\"}|400 buckets[two].max_connections:",
            })
    void everyMistakeSaysWhatToDo(String method, String path, String body, String refusal) throws Exception {
        ApiCaller.Answer answer = new ApiCaller(shared().instance, TOKEN).send(method, path, body == null ? "" : body);
        assertThat(answer.refusal()).startsWith(refusal);
        assertThat(answer.error()).containsEntry("status", answer.status());
        if (answer.status() == 405) {
            assertThat(answer.response().headers().firstValue("Allow")).isPresent();
        }
    }

    /** One instance for all mistakes, none of which changes it. */
    private static RunningProxy shared() throws IOException {
        if (mistaken == null) {
            Path files = Files.createTempDirectory("comporta");
            mistaken = RunningProxy.start(files, "instance_id: one, admin: {token: " + TOKEN + "}", BUCKET);
        }
        return mistaken;
    }

    private static RunningProxy mistaken;

    @AfterAll
    static void stop() {
        if (mistaken != null) {
            mistaken.close();
        }
    }

    @Test
    void aFormOfAnotherSiteCantCommand() throws Exception {
        try (RunningProxy running = start()) {
            ApiCaller caller = new ApiCaller(running.instance, TOKEN);
            for (String type : Arrays.asList(
                    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "")) {
                assertThat(caller.send("POST", "/api/v1/sql", "{\"sql\":\"PAUSE one\"}", type)
                                .refusal())
                        .startsWith("415 The body must be JSON");
            }
            assertThat(caller.send("POST", "/api/v1/buckets/one/pause", "", "text/plain")
                            .status())
                    .isEqualTo(415);
            assertThat(caller.get("/api/v1/buckets/one").column("state")).containsExactly("up");
            assertThat(caller.send("POST", "/api/v1/sql", "{\"sql\":\"SHOW POOLS\"}", "Application/JSON; charset=utf-8")
                            .status())
                    .isEqualTo(200);
        }
    }
}
