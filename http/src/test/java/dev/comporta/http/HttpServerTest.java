package dev.comporta.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class HttpServerTest {
    private static final String GET = "GET /page HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final int CONNECTIONS = 4;
    private static final int HEAD_BYTES = 1024;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int BODY_BYTES = 128 * 1024;
    private static final HttpLimits LIMITS =
            new HttpLimits(CONNECTIONS, HEAD_BYTES, BODY_BYTES, LONG, LONG, LONG, LONG);

    private final HttpRoutes routes = new HttpRoutes()
            .get("/page", request -> HttpResponse.ok("text/plain", "hello".getBytes()))
            .get("/broken", request -> {
                throw new IllegalStateException("on purpose");
            });
    private HttpServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        start(LIMITS);
    }

    private void restart(HttpLimits limits) throws IOException {
        server.close();
        start(limits);
    }

    private void start(HttpLimits limits) throws IOException {
        server = new HttpServer();
        port = server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), routes, limits, Optional.empty());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawHttp caller() throws IOException {
        return new RawHttp(port);
    }

    private String statusOf(String request) throws IOException {
        try (RawHttp caller = caller().send(request)) {
            return caller.status();
        }
    }

    @Test
    void anHttpClientGetsThePage() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI page = URI.create("http://127.0.0.1:" + port + "/page?a=b");
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
        "GET  /page HTTP/1.1|Host: h||, 200 OK",
        "GET http://h/page HTTP/1.1|Host: h||, 400 Bad Request",
        "GET /page HTTP/1.1|Host: h|no header||, 400 Bad Request",
        "GET /page HTTP/1.1|Host: h| folded: line||, 400 Bad Request",
        "GET /page HTTP/1.1|Host: a|Host: b||, 400 Bad Request",
        "GET /page HTTP/1.1|Host: a b||, 400 Bad Request",
        "GET /%zz HTTP/1.1|Host: h||, 400 Bad Request",
        "POST /page HTTP/1.1|Host: h|Content-Length: x||, 400 Bad Request",
        "POST /page HTTP/1.1|Host: h|Content-Length: 1|Content-Length: 2||, 400 Bad Request",
        "POST /page HTTP/1.1|Host: h|Content-Length: 3|Transfer-Encoding: chunked||0||, 400 Bad Request",
        "POST /page HTTP/1.1|Host: h|Transfer-Encoding: chunked||x||, 400 Bad Request",
    })
    void mistakesAndOddFormsOfRequestsGetTheirStatus(String request, String status) throws IOException {
        assertThat(statusOf(request.replace("|", "\r\n"))).isEqualTo("HTTP/1.1 " + status);
        assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void giantHeadersAreRefusedWhileTheyCome() throws IOException {
        String start = "GET /page HTTP/1.1\r\n";
        String headers = "Host: hereX: ";
        int left = HEAD_BYTES - headers.length();
        assertThat(statusOf(start + "Host: here\r\nX: " + "x".repeat(left) + "\r\n\r\n"))
                .isEqualTo("HTTP/1.1 200 OK");
        assertThat(statusOf(start + "Host: here\r\nX: " + "x".repeat(left + 1) + "\r\n\r\n"))
                .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
        assertThat(statusOf(start + "Host: here\r\nX: " + "x".repeat(200_000)))
                .as("without an end")
                .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
        assertThat(statusOf(start + "Host: here\r\n" + "X: y\r\n".repeat(50_000)))
                .as("many small ones")
                .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
        assertThat(statusOf("GET /" + "x".repeat(200_000))).isEqualTo("HTTP/1.1 414 URI Too Long");
    }

    @Test
    void whatIsNotHttpIsRefused() throws IOException {
        assertThat(statusOf("\u0016\u0003\u0001 a TLS handshake")).isEqualTo("HTTP/1.1 400 Bad Request");
        assertThat(statusOf(GET.replace("\r", ""))).isEqualTo("HTTP/1.1 400 Bad Request");
    }

    @Test
    void giantBodiesAreRefusedBeforeOrWhileTheyCome() throws IOException {
        String post = "POST /page HTTP/1.1\r\nHost: h\r\n";
        try (RawHttp caller = caller().send(post + "Content-Length: 99999999\r\n\r\n")) {
            assertThat(caller.status()).isEqualTo("HTTP/1.1 413 Content Too Large");
        }
        try (RawHttp caller = caller().send(post + "Transfer-Encoding: chunked\r\n\r\n")) {
            String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
            for (int sent = 0; sent <= BODY_BYTES; sent += 0x8000) {
                caller.send(chunk);
            }
            assertThat(caller.status()).isEqualTo("HTTP/1.1 413 Content Too Large");
        }
        try (RawHttp caller =
                caller().send(post + "Expect: 100-continue\r\nContent-Length: " + (BODY_BYTES + 1) + "\r\n\r\n")) {
            assertThat(caller.status()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void aBodyIsReadWhole() throws IOException {
        routes.on("POST", "/echo", request -> HttpResponse.ok("text/plain", request.body()));
        String post = "POST /echo HTTP/1.1\r\nHost: h\r\n";
        try (RawHttp caller = caller().send(post + "Content-Length: 5\r\n\r\n12345" + GET)) {
            assertThat(caller.body()).isEqualTo("12345");
            assertThat(caller.body()).isEqualTo("hello");
            caller.send(post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n").send("2\r\nde\r\n0\r\n\r\n");
            assertThat(caller.body()).isEqualTo("abcde");
            caller.send(post + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(caller.status()).isEqualTo("HTTP/1.1 100 Continue");
            assertThat(caller.send("ok").body()).isEqualTo("ok");
        }
    }

    @Test
    void aBodyThatComesSlowlyIsGivenUp() throws IOException {
        restart(new HttpLimits(CONNECTIONS, HEAD_BYTES, BODY_BYTES, SHORT, LONG, LONG, LONG));
        try (RawHttp slow = caller().send("POST /page HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n123")) {
            assertThat(slow.status()).isEqualTo("HTTP/1.1 408 Request Timeout");
        }
        try (RawHttp silent = caller().send("\r\n\r\n")) {
            assertThat(silent.status()).as("empty lines are no request").isEqualTo("HTTP/1.1 408 Request Timeout");
        }
    }

    @Test
    void callerThatShutsDownItsOutputStillGetsItsAnswers() throws IOException {
        try (RawHttp caller = caller().send(GET + GET)) {
            caller.socket.shutdownOutput();
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(caller.status()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(caller.isClosed()).isTrue();
        }
    }

    @Test
    void headIsAnsweredWithoutABody() throws IOException {
        try (RawHttp caller = caller().send(GET.replace("GET", "HEAD") + GET)) {
            assertThat(caller.head()).contains("HTTP/1.1 200 OK", "content-length: 5");
            assertThat(caller.body()).isEqualTo("hello");
        }
    }

    @Test
    void answersComeInTheOrderOfTheirRequestsAndOneAtATime() throws IOException {
        AtomicInteger atOnce = new AtomicInteger();
        routes.get("/count", request -> {
            int now = atOnce.incrementAndGet();
            awaitAnAnswerToAnother(); // by then the next would have begun
            now = Math.max(now, atOnce.getAndDecrement());
            return HttpResponse.ok("text/plain", (now + request.query().get("n").getFirst()).getBytes());
        });
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            requests.append("GET /count?n=").append(i).append(" HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        try (RawHttp caller = caller().send(requests.toString())) {
            for (int i = 0; i < 50; i++) {
                assertThat(caller.body()).isEqualTo("1" + i);
            }
        }
    }

    private void awaitAnAnswerToAnother() {
        try {
            assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anAnswerUnderWayIsSentBeforeTheServerIsClosed() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        routes.get("/slow", request -> {
            asked.countDown();
            await(closing);
            return HttpResponse.ok("text/plain", "late".getBytes());
        });
        try (RawHttp waiting = caller().send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
                RawHttp silent = caller()) {
            asked.await();
            Thread close = Thread.ofVirtual().start(server::close);
            assertThat(silent.isClosed()).isTrue();
            closing.countDown();
            assertThat(waiting.body()).isEqualTo("late");
            assertThat(waiting.isClosed()).isTrue();
            close.join();
        }
    }

    @Test
    void aHandlerThatNeverAnswersDoesNotKeepTheServerOpen() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        routes.get("/never", request -> {
            asked.countDown();
            await(never);
            return HttpResponse.ok("text/plain", new byte[0]);
        });
        try (RawHttp waiting = caller().send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n")) {
            asked.await();
            server.close();
            assertThat(waiting.isClosed()).isTrue();
        } finally {
            never.countDown();
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() {
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        assertThatThrownBy(() -> server.listen(taken, routes, LIMITS, Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("can't listen on localhost/127.0.0.1:" + port + " for HTTP");
        assertThatThrownBy(() -> server.listen(
                        InetSocketAddress.createUnresolved("no.such.host", 1), routes, LIMITS, Optional.empty()))
                .hasMessage("can't listen on no.such.host:1 for HTTP: there is no such host name");
    }

    @Test
    void theLimitsOfAnInstance() {
        assertThat(HttpLimits.DEFAULTS)
                .isEqualTo(new HttpLimits(
                        64,
                        8192,
                        262_144,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(75),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(1)));
    }

    @Test
    void refusedCallerMayFinishSendingAndIsNotReset() throws IOException {
        try (RawHttp talker = caller().send("GET /" + "x".repeat(20_000))) {
            assertThat(talker.status()).isEqualTo("HTTP/1.1 414 URI Too Long");
            assertThat(talker.isClosed()).as("nothing more is said").isTrue();
            // A reset would make the second of these fail, and many clients would never get to see the response.
            talker.send("x").send("x");
        }
    }

    @Test
    void aSlowSenderGetsRequestTimeout() throws IOException {
        restart(new HttpLimits(CONNECTIONS, HEAD_BYTES, BODY_BYTES, SHORT, LONG, LONG, LONG));
        try (RawHttp slow = caller().send("GET /page HT")) {
            assertThat(slow.status()).isEqualTo("HTTP/1.1 408 Request Timeout");
            assertThat(slow.isClosed()).isTrue();
        }
    }

    @Test
    void anIdleConnectionIsClosedWithoutAResponse() throws IOException {
        restart(new HttpLimits(CONNECTIONS, HEAD_BYTES, BODY_BYTES, LONG, SHORT, LONG, LONG));
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

    @Test
    void callersThatAreRefusedAndStayCantKeepOthersOut() throws IOException {
        List<RawHttp> refused = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            refused.add(caller().send("nonsense\r\n\r\n"));
            assertThat(refused.getLast().status()).isEqualTo("HTTP/1.1 400 Bad Request");
        }
        assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
        for (RawHttp caller : refused) {
            caller.close();
        }
    }

    @Test
    void callersThatDoNotTakeTheirResponseCantKeepOthersOut() throws IOException {
        routes.get("/large", request -> HttpResponse.ok("text/plain", new byte[32 << 20]));
        List<RawHttp> deaf = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            deaf.add(caller().send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n"));
            assertThat(deaf.getLast().head()).contains("HTTP/1.1 200 OK");
        }
        assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
        // The last to come still has its place.
        assertThat(deaf.getLast().socket.getInputStream().readNBytes(32 << 20)).hasSize(32 << 20);
        for (RawHttp caller : deaf) {
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
    void whenEveryPlaceIsBusyTheNextIsToldToRetry() throws Exception {
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
            assertThat(tooMany.head())
                    .startsWith("HTTP/1.1 503 Service Unavailable")
                    .contains("Retry-After: 1");
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
        restart(new HttpLimits(1, HEAD_BYTES, BODY_BYTES, LONG, LONG, SHORT, LONG));
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
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThatThrownBy(() -> deaf.send("x")).isInstanceOf(IOException.class));
            assertThat(statusOf(GET)).isEqualTo("HTTP/1.1 200 OK");
        }
    }
}
