package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.tls.SelfSignedCertificate;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where the ports of HTTP are, and what they show of themselves. */
@Timeout(60)
class HttpPortsTest {
    private static final String BUCKET = "encrypt: off, max_connections: 2";
    private static final Observer NOBODY = () -> {
        throw new AssertionError("nobody is asked");
    };

    @TempDir
    private Path directory;

    @Test
    void theyListenWhereTheyAreTold() throws Exception {
        try (RunningProxy running = RunningProxy.start(
                directory, "instance_id: one, health_check_addr: 127.0.0.2, metrics_addr: 127.0.0.3", BUCKET)) {
            new Socket("127.0.0.2", running.instance.healthPort()).close();
            new Socket("127.0.0.3", running.instance.metricsPort()).close();
            assertThatThrownBy(() -> new Socket("127.0.0.1", running.instance.healthPort()))
                    .isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> new Socket("127.0.0.1", running.instance.metricsPort()))
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void bothAreEncryptedOnRequestAndShowANewCertificateWithoutARestart() throws Exception {
        BigInteger first = write();
        String settings = "instance_id: one, http_tls: on, admin: {token: 0123456789abcdef},"
                + " tls: {certificate: tls.crt, private_key: tls.key, client_ca: tls.crt, mode: required}";
        try (RunningProxy running = RunningProxy.start(directory, settings, BUCKET);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(trusting()).build()) {
            HttpResponse<String> health = get(client, running.instance.healthPort(), "/health");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(serial(health)).isEqualTo(first);
            assertThat(health.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
            HttpResponse<String> metrics = get(client, running.instance.metricsPort(), "/metrics");
            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(serial(metrics)).isEqualTo(first);
            assertThat(get(client, running.instance.healthPort(), "/api/v1/pools")
                            .statusCode())
                    .as("clients of HTTP need no certificate, but the token")
                    .isEqualTo(401);
            assertThatThrownBy(() -> Http.health(running.instance))
                    .as("without TLS")
                    .isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> Http.scrape(running.instance))
                    .as("without TLS")
                    .isInstanceOf(UncheckedIOException.class);

            BigInteger second = write();
            assertThat(second).isNotEqualTo(first);
            running.instance.reload();
            try (HttpClient other =
                    HttpClient.newBuilder().sslContext(trusting()).build()) {
                assertThat(serial(get(other, running.instance.healthPort(), "/health")))
                        .isEqualTo(second);
                assertThat(serial(get(other, running.instance.metricsPort(), "/metrics")))
                        .isEqualTo(second);
            }
        }
    }

    private BigInteger write() throws Exception {
        SelfSignedCertificate made = SelfSignedCertificate.generate("one", List.of("localhost", "127.0.0.1"));
        KeyFiles.write(directory, "tls", made);
        return made.certificate().getSerialNumber();
    }

    private static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), new SecureRandom());
        return context;
    }

    private static HttpResponse<String> get(HttpClient client, int port, String path) throws Exception {
        URI uri = URI.create("https://localhost:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static BigInteger serial(HttpResponse<String> response) throws IOException {
        return ((X509Certificate) response.sslSession().orElseThrow().getPeerCertificates()[0]).getSerialNumber();
    }

    @Test
    void theApiSaysThatTheInstanceStillStarts() throws Exception {
        ProxyConfig anywhere = ConfigurationReader.ofThisProcess()
                .read(
                        "proxy: {health_check_port: 0, metrics_port: 0}",
                        "buckets: [{id: one, host: 127.0.0.1, max_connections: 1}]",
                        Path.of(""))
                .orThrow()
                .proxy();
        try (HttpEndpoints starting = HttpEndpoints.start(anywhere, NOBODY, Optional.empty(), new BackgroundWork())) {
            HttpResponse<String> answer = Http.get(starting.healthPort(), "/api/v1/pools");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("\"error\"", "is starting");
        }
    }
}
