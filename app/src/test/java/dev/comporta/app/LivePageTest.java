package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live page without a browser: who may have what, and what the stream says. */
@Timeout(180)
class LivePageTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BUCKET = "encrypt: off, max_connections: 2";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private RunningProxy start(String admin) throws IOException {
        return RunningProxy.start(directory, "instance_id: one, admin: {" + admin + "}", BUCKET);
    }

    private static int status(RunningProxy running, String path, String... headers) {
        return Http.get(running.instance.healthPort(), path, headers).statusCode();
    }

    /** A stream that is read event by event. */
    private record Stream(HttpResponse<InputStream> response, BufferedReader lines) implements AutoCloseable {
        static Stream open(RunningProxy running, String query, String... headers) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + running.instance.healthPort() + "/live/stream" + query));
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<InputStream> response = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
            return new Stream(
                    response, new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
        }

        /** The data of the next event of this name. */
        String next(String name) throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("event: " + name)) {
                    return lines.readLine().substring("data: ".length());
                }
            }
            throw new IOException("the stream has ended before an event " + name);
        }

        /** Returns when it has ended; one that goes on fails by the time that a test may take. */
        void readToItsEnd() throws IOException {
            while (lines.readLine() != null) {
                continue;
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    @Test
    void byDefaultThePageIsReadWithoutATokenAndTheApiIsNot() throws Exception {
        try (RunningProxy running = start("token: " + TOKEN)) {
            HttpResponse<String> page = Http.get(running.instance.healthPort(), "/");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
            assertThat(page.body()).contains("<title>Comporta</title>");
            assertThat(status(running, "/api/v1/pools")).isEqualTo(401);
            try (Stream stream = Stream.open(running, "")) {
                assertThat(stream.response().headers().firstValue("content-type"))
                        .contains("text/event-stream; charset=utf-8");
                assertThat(stream.next("instances")).contains("\"instance\":\"one\"", "\"actions\":true");
                assertThat(stream.next("buckets")).contains("\"one\"");
            }
        }
    }

    @Test
    void withTokenItsDataNeedTheTokenAndWithOffThereIsNoPage() throws Exception {
        try (RunningProxy running = start("token: " + TOKEN + ", live_page: token")) {
            assertThat(status(running, "/"))
                    .as("it says nothing, and asks for the token")
                    .isEqualTo(200);
            assertThat(status(running, "/live/stream")).isEqualTo(401);
            assertThat(status(running, "/live/stream", "Authorization", "Bearer wrong"))
                    .isEqualTo(401);
            try (Stream stream = Stream.open(running, "", "Authorization", "Bearer " + TOKEN)) {
                assertThat(stream.next("buckets")).contains("\"one\"");
                running.reload(
                        "instance_id: one, admin: {token: " + TOKEN + ", live_page: off}",
                        RunningProxy.bucket(running.server, "one", BUCKET));
                stream.readToItsEnd();
            }
            for (String path : new String[] {"/", "/live/main.js", "/live/stream"}) {
                HttpResponse<String> off = Http.get(running.instance.healthPort(), path);
                assertThat(off.statusCode()).as(path).isEqualTo(404);
                assertThat(off.body()).contains("proxy.admin.live_page");
            }
        }
    }

    @Test
    void itsFilesAreServedFromTheClassPathAndNothingElseIs() throws Exception {
        try (RunningProxy running = start("")) {
            String page = Http.get(running.instance.healthPort(), "/").body();
            Matcher linked = Pattern.compile("(?:src|href)=\"(/[^\"]*)\"").matcher(page);
            int files = 0;
            while (linked.find()) {
                assertThat(status(running, linked.group(1))).as(linked.group(1)).isEqualTo(200);
                files++;
            }
            assertThat(files).isGreaterThan(4);
            assertThat(page).doesNotContain("//", "<style", "style=", "onclick");

            int port = running.instance.healthPort();
            HttpResponse<String> chart = Http.get(port, "/live/chart.js");
            assertThat(chart.body()).contains("Chart.js v4.4.1");
            assertThat(chart.headers().firstValue("cache-control")).contains("no-cache");
            String tag = chart.headers().firstValue("etag").orElseThrow();
            assertThat(status(running, "/live/chart.js", "If-None-Match", tag)).isEqualTo(304);
            HttpResponse<String> packed = Http.get(port, "/live/chart.js", "Accept-Encoding", "gzip");
            assertThat(packed.headers().firstValue("content-encoding")).contains("gzip");

            for (String path : new String[] {"/live/", "/live/none.js", "/live/..%2fversion.txt", "/live/a/b"}) {
                assertThat(status(running, path)).as(path).isEqualTo(404);
            }
            assertThat(status(running, "/live/stream?bucket=nowhere")).isEqualTo(404);
        }
    }

    @Test
    void itForbidsTheBrowserEverythingFromElsewhere() throws Exception {
        try (RunningProxy running = start("")) {
            for (String path : new String[] {"/", "/live/main.js", "/live/none"}) {
                var headers = Http.get(running.instance.healthPort(), path).headers();
                assertThat(headers.firstValue("content-security-policy").orElse(""))
                        .as(path)
                        .contains(
                                "default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'")
                        .doesNotContain("unsafe", "*", "http");
                assertThat(headers.firstValue("x-content-type-options")).contains("nosniff");
                assertThat(headers.firstValue("referrer-policy")).contains("no-referrer");
                assertThat(headers.firstValue("cross-origin-resource-policy")).contains("same-origin");
                assertThat(headers.firstValue("access-control-allow-origin")).isEmpty();
                assertThat(headers.firstValue("set-cookie")).isEmpty();
            }
        }
    }

    @Test
    void theStreamOfABucketTellsItsClientsPinsAndHistoryButNoSql() throws Exception {
        try (RunningProxy running = start("");
                Connection client = running.connect(
                        "main", "user=sa;password=" + RunningProxy.PASSWORD + ";applicationName=</script>ledger")) {
            run(client, "BEGIN TRANSACTION");
            ask(client, "SELECT 'a-secret-value'");
            try (Stream stream = Stream.open(running, "?bucket=one")) {
                assertThat(stream.next("history")).startsWith("{\"bucket\":\"one\",\"points\":[");
                String detail = stream.next("detail");
                assertThat(detail)
                        .contains("\"clientCount\":1", "\"pinCount\":1", "\"transaction\"", "</script>ledger")
                        .doesNotContain("a-secret-value", RunningProxy.PASSWORD);
                String points = stream.next("history");
                assertThat(points).contains("\"active\":1", "\"pins\":{\"transaction\":1}", "\"errors\":0");
            }
        }
    }

    @Test
    void aStreamEndsWhenTheInstanceStops() throws Exception {
        try (RunningProxy running = start("");
                Stream stream = Stream.open(running, "")) {
            stream.next("buckets");
            running.instance.close();
            stream.readToItsEnd();
        }
    }
}
