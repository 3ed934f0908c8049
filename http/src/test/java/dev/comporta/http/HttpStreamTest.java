package dev.comporta.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.http.HttpStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses that are sent in pieces until the stream ends. */
@Timeout(60)
class HttpStreamTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String STREAM = "GET /stream HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final String PAGE = "GET /page HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final int CONNECTIONS = 2;

    private final BlockingQueue<HttpStream.Reader> readers = new LinkedBlockingQueue<>();
    private final AtomicInteger gone = new AtomicInteger();
    private final HttpServer server = new HttpServer();
    private int port;

    private void start(StreamLimits limits) throws IOException {
        HttpRoutes routes = new HttpRoutes()
                .get("/page", _ -> HttpResponse.ok("text/plain", "hello".getBytes(StandardCharsets.UTF_8)))
                .get(
                        "/stream",
                        _ -> HttpResponse.stream("text/event-stream", reader -> {
                            readers.add(reader);
                            return gone::incrementAndGet;
                        }));
        port = server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                routes,
                new HttpLimits(CONNECTIONS, 1024, 1024, LONG, LONG, LONG, LONG, limits),
                Optional.empty());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawHttp open() throws IOException {
        return new RawHttp(port).send(STREAM);
    }

    /** A caller whose stream has been opened. */
    private RawHttp opened() throws IOException {
        RawHttp reader = open();
        assertThat(reader.head().getFirst()).isEqualTo("HTTP/1.1 200 OK");
        return reader;
    }

    private HttpStream.Reader next() throws InterruptedException {
        HttpStream.Reader reader = readers.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(reader).as("somebody who reads").isNotNull();
        return reader;
    }

    private static String read(RawHttp from, int bytes) throws IOException {
        return new String(from.socket.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void piecesArriveAsTheyAreSentUntilTheStreamEnds() throws Exception {
        start(new StreamLimits(4, 1024, LONG));
        try (RawHttp caller = open()) {
            List<String> head = caller.head();
            assertThat(head.getFirst()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(head).contains("content-type: text/event-stream", "connection: close");
            assertThat(String.join("\n", head)).doesNotContain("content-length", "transfer-encoding");
            HttpStream.Reader reader = next();
            reader.send(bytes("one"));
            assertThat(read(caller, 3)).isEqualTo("one");
            reader.send(bytes("two"));
            assertThat(read(caller, 3)).isEqualTo("two");
            reader.end();
            assertThat(caller.isClosed()).isTrue();
            assertThat(gone).hasValue(1);
            reader.send(bytes("nobody hears this"));
        }
    }

    @Test
    void aHeadRequestOpensNoStream() throws Exception {
        start(new StreamLimits(4, 1024, LONG));
        try (RawHttp caller = new RawHttp(port).send("HEAD /stream HTTP/1.1\r\nHost: here\r\n\r\n")) {
            assertThat(caller.head().getFirst()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(caller.send(PAGE).body()).isEqualTo("hello");
            assertThat(readers).isEmpty();
        }
    }

    @Test
    void streamsHaveTheirOwnPlacesAndOneTooManyIsToldToRetry() throws Exception {
        start(new StreamLimits(3, 1024, LONG));
        try (RawHttp one = opened();
                RawHttp two = opened();
                RawHttp three = opened()) {
            List<HttpStream.Reader> open = List.of(next(), next(), next());
            try (RawHttp four = open();
                    RawHttp prober = new RawHttp(port).send(PAGE)) {
                List<String> head = four.head();
                assertThat(head.getFirst()).isEqualTo("HTTP/1.1 503 Service Unavailable");
                assertThat(head).contains("Retry-After: 10");
                assertThat(prober.body()).isEqualTo("hello");
            }
            one.socket.close();
            Awaitility.await().until(() -> gone.get() == 1);
            opened().close();
            open.forEach(reader -> reader.send(bytes("still here")));
            assertThat(read(two, 10)).isEqualTo("still here");
            assertThat(read(three, 10)).isEqualTo("still here");
        }
    }

    @Test
    void readerThatDoesNotReadIsDisconnectedAndOthersGoOn() throws Exception {
        start(new StreamLimits(4, 64 * 1024, Duration.ofHours(1)));
        try (RawHttp sleeper = open()) {
            sleeper.head();
            HttpStream.Reader slow = next();
            try (RawHttp other = open()) {
                other.head();
                HttpStream.Reader quick = next();
                byte[] much = new byte[16 * 1024];
                Awaitility.await()
                        .atMost(LONG)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> {
                            slow.send(much); // until its socket and what may be pending are full
                            return gone.get() == 1;
                        });
                quick.send(bytes("still here"));
                assertThat(read(other, 10)).isEqualTo("still here");
            }
            assertEnds(sleeper);
        }
    }

    /** The connection ends, by an end of stream or by a reset; otherwise reading times out. */
    private static void assertEnds(RawHttp caller) throws IOException {
        try {
            caller.socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @Test
    void whatAReaderSendsIsIgnoredUntilItIsTooMuch() throws Exception {
        start(new StreamLimits(4, 1024, LONG));
        try (RawHttp caller = open()) {
            caller.head();
            HttpStream.Reader reader = next();
            caller.send(PAGE + PAGE);
            reader.send(bytes("one"));
            assertThat(read(caller, 3)).isEqualTo("one");
            assertThat(gone).hasValue(0);
            String much = "x".repeat(64 * 1024);
            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
                try {
                    caller.send(much);
                } catch (SocketException cutOff) {
                    // The server has closed the connection.
                }
                return gone.get() == 1;
            });
        }
    }

    @Test
    void aStreamEndsAfterItsTime() throws Exception {
        Duration life = Duration.ofMillis(100);
        start(new StreamLimits(4, 1024, life));
        long begun = System.nanoTime();
        try (RawHttp caller = open()) {
            caller.head();
            assertThat(caller.isClosed()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(life);
            assertThat(gone).hasValue(1);
        }
    }

    @Test
    void closingTheServerEndsItsStreams() throws Exception {
        start(new StreamLimits(4, 1024, LONG));
        try (RawHttp caller = open()) {
            caller.head();
            HttpStream.Reader reader = next();
            reader.send(bytes("last"));
            assertThat(read(caller, 4)).isEqualTo("last");
            server.close();
            assertThat(caller.isClosed()).isTrue();
            assertThat(gone).hasValue(1);
            reader.send(bytes("too late"));
            reader.end();
        }
    }

    @Test
    void theLimitsOfAnInstance() {
        assertThat(HttpLimits.DEFAULTS.streams()).isEqualTo(new StreamLimits(64, 512 * 1024, Duration.ofMinutes(5)));
    }
}
