package dev.comporta.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class HttpServiceTest {
    private static final String GET = "GET /page HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final int CONNECTIONS = 4;
    private static final int HEAD_BYTES = 1024;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final HttpRoutes routes = new HttpRoutes()
            .get("/page", request -> HttpResponse.ok("text/plain", "hello".getBytes()))
            .get("/broken", request -> {
                throw new IllegalStateException("on purpose");
            });
    private HttpService service;

    @BeforeEach
    void start() throws IOException {
        service = start(new HttpLimits(CONNECTIONS, HEAD_BYTES, LONG, LONG, LONG, LONG));
    }

    private HttpService start(HttpLimits limits) throws IOException {
        return HttpService.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), routes, limits);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private RawHttp caller() throws IOException {
        return new RawHttp(service.port());
    }

    private String statusOf(String request) throws IOException {
        try (RawHttp caller = caller().send(request)) {
            return caller.status();
        }
    }

    @Test
    void anHttpClientGetsThePage() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI page = URI.create("http://127.0.0.1:" + service.port() + "/page?a=b");
            var request = java.net.http.HttpRequest.newBuilder(page);
            var got = client.send(request.GET().build(), BodyHandlers.ofString());
            assertThat(got.statusCode()).isEqualTo(200);
            assertThat(got.body()).isEqualTo("hello");
            assertThat(got.headers().map()).containsEntry("content-type", List.of("text/plain"));
            assertThat(got.headers().firstValue("date")).isPresent();

            var head = client.send(request.HEAD().build(), BodyHandlers.ofString());
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().map()).containsEntry("content-length", List.of("5"));

            var posted = client.send(
                    request.POST(BodyPublishers.ofString("x".repeat(100_000))).build(), BodyHandlers.ofString());
            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(posted.headers().map()).containsEntry("allow", List.of("GET, HEAD"));
        }
    }

    @Test
    void oneConnectionServesManyRequestsEvenSentTogetherOrInPieces() throws IOException {
        try (RawHttp caller = caller()) {
            caller.send(GET + GET);
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            for (int i = 0; i < GET.length(); i++) {
                caller.send(GET.substring(i, i + 1));
            }
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            caller.send("GET /page HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(caller.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /nowhere HTTP/1.1|Host: h||, 404 Not Found",
        "DELETE /page HTTP/1.1|Host: h||, 405 Method Not Allowed",
        "get /page HTTP/1.1|Host: h||, 405 Method Not Allowed",
        "GET /broken HTTP/1.1|Host: h||, 500 Internal Server Error",
        "GET /page HTTP/1.1||, 400 Bad Request",
        "GET /page HTTP/1.0||, 200 OK",
        "GET /page HTTP/2.0|Host: h||, 505 HTTP Version Not Supported",
        "GET /page||, 400 Bad Request",
        "GET  /page HTTP/1.1|Host: h||, 400 Bad Request",
        "GET http://h/page HTTP/1.1|Host: h||, 400 Bad Request",
        "GET /page HTTP/1.1|Host: h|no header||, 400 Bad Request",
        "GET /page HTTP/1.1|Host: h| folded: line||, 400 Bad Request",
        "||, 400 Bad Request",
        "\u0016\u0003\u0001||, 400 Bad Request",
    })
    void everyMistakeGetsItsStatus(String request, String status) throws IOException {
        assertThat(statusOf(request.replace("|", "\r\n"))).isEqualTo("HTTP/1.1 " + status);
        assertThat(statusOf(request.replace("|", "\n"))).isEqualTo("HTTP/1.1 " + status);
        assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void giantHeadersAreRefusedWhileTheyCome() throws IOException {
        String start = "GET /page HTTP/1.1\r\nHost: here\r\nX: ";
        int left = HEAD_BYTES - start.length() - "\r\n\r\n".length();
        assertThat(statusOf(start + "x".repeat(left) + "\r\n\r\n")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(statusOf(start + "x".repeat(left + 1) + "\r\n\r\n"))
                .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
        assertThat(statusOf(start + "x".repeat(200_000)))
                .as("without an end")
                .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
        assertThat(statusOf("GET /" + "x".repeat(200_000))).isEqualTo("HTTP/1.1 414 URI Too Long");
    }

    @Test
    void whoIsRefusedMayFinishItsSentence() throws IOException {
        try (RawHttp talker = caller().send("GET /" + "x".repeat(20_000))) {
            assertThat(talker.status()).isEqualTo("HTTP/1.1 414 URI Too Long");
            // A reset would make the second of these fail, and many clients would never get to see the response.
            talker.send("x").send("x");
        }
    }

    @Test
    void aSlowSenderIsToldThatItsTimeIsOver() throws IOException {
        service.close();
        service = start(new HttpLimits(CONNECTIONS, HEAD_BYTES, SHORT, LONG, LONG, LONG));
        try (RawHttp slow = caller().send("GET /page HT")) {
            assertThat(slow.status()).isEqualTo("HTTP/1.1 408 Request Timeout");
            assertThat(slow.isClosed()).isTrue();
        }
    }

    @Test
    void aConnectionThatNobodyUsesIsClosedWithoutAWord() throws IOException {
        service.close();
        service = start(new HttpLimits(CONNECTIONS, HEAD_BYTES, LONG, SHORT, LONG, LONG));
        try (RawHttp idle = caller()) {
            assertThat(idle.isClosed()).isTrue();
        }
    }

    @Test
    void slowSendersCantKeepOthersOut() throws IOException {
        List<RawHttp> slow = new ArrayList<>();
        for (int i = 0; i < 3 * CONNECTIONS; i++) {
            slow.add(caller().send("GET /pa"));
        }
        assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
        // The last to come still has its place.
        assertThat(slow.getLast().send("ge HTTP/1.1\r\nHost: h\r\n\r\n").status())
                .isEqualTo("HTTP/1.1 200 OK");
        for (RawHttp caller : slow) {
            caller.close();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whenEveryPlaceIsBusyTheNextIsToldToComeAgain() throws Exception {
        CountDownLatch asked = new CountDownLatch(CONNECTIONS);
        CountDownLatch answer = new CountDownLatch(1);
        routes.get("/slow", request -> {
            asked.countDown();
            await(answer);
            return new HttpResponse(200, "text/plain", new byte[0], Map.of());
        });
        List<RawHttp> busy = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            busy.add(caller().send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"));
        }
        asked.await();
        try (RawHttp tooMany = caller()) {
            assertThat(tooMany.status()).isEqualTo("HTTP/1.1 503 Service Unavailable");
        }
        answer.countDown();
        for (RawHttp caller : busy) {
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            caller.close();
        }
        assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void aCallerThatDoesNotTakeItsResponseIsLeft() throws Exception {
        service.close();
        service = start(new HttpLimits(1, HEAD_BYTES, LONG, LONG, SHORT, LONG));
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        routes.get("/large", request -> {
            asked.countDown();
            await(answer);
            return HttpResponse.ok("text/plain", new byte[32 << 20]);
        });
        try (RawHttp deaf = caller()) {
            deaf.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n");
            asked.await();
            assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 503 Service Unavailable");
            answer.countDown();
            Awaitility.await().untilAsserted(() -> assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK"));
        }
    }
}
