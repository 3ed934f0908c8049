package dev.comporta.app;

import static dev.comporta.app.RunningProxy.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.TlsSettings;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.tds.tls.SelfSignedCertificate;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class CertificatesTest {
    private static final String SETTINGS = "tls: {mode: required, certificate: tls.crt, private_key: tls.key}";
    private static final String BUCKET = "max_connections: 2, trust_server_certificate: true";

    @TempDir
    private Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Certificates.class);

    @BeforeEach
    void listenToTheLog() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    @Test
    void newClientsSeeTheNewCertificateWhileOldOnesGoOn() throws Exception {
        BigInteger first = write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (RunningProxy running = RunningProxy.start(directory, SETTINGS, BUCKET);
                Connection old = running.connect("main", "user=sa;encrypt=true;password=" + RunningProxy.PASSWORD)) {
            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(first);

            BigInteger second = write(SelfSignedCertificate.generate("two", List.of("localhost")));
            running.instance.reload();

            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(second).isNotEqualTo(first);
            assertThat(ask(old, "SELECT 1")).isEqualTo("1");
            running.connect("main", "user=sa;encrypt=true;password=" + RunningProxy.PASSWORD)
                    .close();
        }
    }

    @Test
    void filesThatCantBeUsedChangeNothingAndAreNamedInTheLog() throws Exception {
        BigInteger first = write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (RunningProxy running = RunningProxy.start(directory, SETTINGS, BUCKET)) {
            Files.writeString(directory.resolve("tls.crt"), "half a certificate");
            running.instance.reload();
            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(first);
            assertThat(errors()).singleElement().asString().contains("tls.crt", "certificate of before");

            Files.delete(directory.resolve("tls.crt"));
            running.instance.reload();
            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(first);
        }
    }

    @Test
    void aKeyOfAnotherCertificateChangesNothing() throws Exception {
        BigInteger first = write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (RunningProxy running = RunningProxy.start(directory, SETTINGS, BUCKET)) {
            SelfSignedCertificate other = SelfSignedCertificate.generate("two", List.of("localhost"));
            // As in the moment between the writing of the one file and of the other.
            Files.writeString(directory.resolve("tls.crt"), other.pem());
            running.instance.reload();
            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(first);
            assertThat(errors()).singleElement().asString().contains("tls.crt", "tls.key");
        }
    }

    @Test
    void aChangeIsSeenWithoutBeingTold() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (Certificates certificates = Certificates.load(settings(), "test", Duration.ofMillis(10))) {
            certificates.watch();
            ClientTls first = certificates.get();

            write(SelfSignedCertificate.generate("two", List.of("localhost")));
            // Two writes in one tick of the file system's clock would look the same.
            Files.setLastModifiedTime(
                    directory.resolve("tls.key"), FileTime.from(Instant.now().plusSeconds(5)));

            await().until(() -> certificates.get() != first);
        }
    }

    @Test
    void filesThatStayAsTheyAreAreNotReadAgain() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (Certificates certificates = Certificates.load(settings(), "test", Duration.ofDays(1))) {
            ClientTls first = certificates.get();
            certificates.reloadIfChanged();
            assertThat(certificates.get()).isSameAs(first);
        }
    }

    @Test
    void aBrokenFileIsToldOnceAndNotAgainUntilItChanges() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (Certificates certificates = Certificates.load(settings(), "test", Duration.ofDays(1))) {
            Files.writeString(directory.resolve("tls.crt"), "broken");
            certificates.reloadIfChanged();
            certificates.reloadIfChanged();
            assertThat(errors()).hasSize(1);
        }
    }

    private TlsSettings settings() {
        return ConfigurationReader.ofThisProcess()
                .read(
                        "proxy: {" + SETTINGS + "}",
                        "buckets: [{id: a, host: h, database: d, max_connections: 9}]",
                        directory)
                .orThrow()
                .proxy()
                .tls();
    }

    private List<String> errors() {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Returns its serial number. */
    private BigInteger write(SelfSignedCertificate certificate) throws IOException {
        Files.writeString(directory.resolve("tls.crt"), certificate.pem());
        Files.writeString(
                directory.resolve("tls.key"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(certificate.key().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        return certificate.certificate().getSerialNumber();
    }

    /** What a client of TDS 8.0 is shown, which begins with TLS. */
    private static BigInteger serialSeenAt(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustEverybody()}, new SecureRandom());
        try (Socket plain = new Socket("127.0.0.1", port);
                SSLSocket socket =
                        (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", port, true)) {
            socket.setSoTimeout(20_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"tds/8.0"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    private static final class TrustEverybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
