package dev.comporta.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.tls.HttpTls;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import dev.comporta.tls.TlsFiles;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpsTest {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final HttpServer server = new HttpServer();
    private HttpTls tls;

    @BeforeEach
    void makeCertificate() throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.generate("here", List.of("localhost", "127.0.0.1"));
        tls = TlsFiles.http(own, TlsContexts.MODERN_CIPHERS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int listen(int connections, Duration request) throws IOException {
        HttpRoutes routes = new HttpRoutes()
                .get("/large", _ -> HttpResponse.ok("text/plain", new byte[3 << 20]))
                .on("POST", "/echo", asked -> HttpResponse.ok("text/plain", asked.body()));
        return server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                routes,
                new HttpLimits(connections, 1024, 256 * 1024, request, LONG, LONG, SHORT),
                Optional.of(() -> tls));
    }

    private static HttpClient client() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), new SecureRandom());
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                .timeout(LONG);
    }

    @Test
    void requestsAndResponsesOfAnySizeAreEncrypted() throws Exception {
        int port = listen(4, LONG);
        try (HttpClient client = client()) {
            String body = "x".repeat(200_000);
            HttpRequest post =
                    request(port, "/echo").POST(BodyPublishers.ofString(body)).build();
            assertThat(client.send(post, BodyHandlers.ofString()).body()).isEqualTo(body);
            HttpRequest get = request(port, "/large").build();
            assertThat(client.send(get, BodyHandlers.ofByteArray()).body()).hasSize(3 << 20);
            HttpRequest giant = request(port, "/echo")
                    .POST(BodyPublishers.ofString("x".repeat(300_000)))
                    .build();
            assertThat(client.send(giant, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
        }
        try (RawHttp plain = new RawHttp(port).send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")) {
            assertThat(plain.head()).noneMatch(line -> line.startsWith("HTTP/"));
        }
    }

    @Test
    void aHandshakeThatIsNotFinishedIsGivenUp() throws Exception {
        int port = listen(4, SHORT);
        try (RawHttp silent = new RawHttp(port);
                RawHttp slow = new RawHttp(port).send("\u0016\u0003\u0001")) {
            assertThatNothingComes(silent);
            assertThatNothingComes(slow);
        }
    }

    /** The connection closes, perhaps after a TLS alert. */
    private static void assertThatNothingComes(RawHttp caller) throws IOException {
        caller.socket.setSoTimeout(8_000); // Netty's own limit is ten seconds
        assertThat(caller.socket.getInputStream().readAllBytes().length).isLessThan(64);
    }

    @Test
    void handshakesThatAreNotFinishedMakeRoomForOthers() throws Exception {
        int port = listen(2, LONG);
        try (RawHttp first = new RawHttp(port);
                RawHttp second = new RawHttp(port);
                HttpClient client = client()) {
            HttpRequest post =
                    request(port, "/echo").POST(BodyPublishers.ofString("in")).build();
            assertThat(client.send(post, BodyHandlers.ofString()).body()).isEqualTo("in");
            assertThat(first.isClosed()).isTrue();
            second.socket.setSoTimeout(200);
            assertThatThrownBy(second::isClosed).isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }
}
