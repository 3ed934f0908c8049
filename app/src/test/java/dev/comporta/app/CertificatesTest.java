package dev.comporta.app;

import static dev.comporta.app.Http.scrape;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.proxy.TlsConfig;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.testkit.LogLines;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CertificatesTest {
    private static final String SETTINGS = "tls: {mode: required, certificate: tls.crt, private_key: tls.key}";
    private static final String BUCKET = "max_connections: 2, trust_server_certificate: true";

    @TempDir
    private Path directory;

    private final LogLines log = new LogLines(Certificates.class);

    @AfterEach
    void stopListening() {
        log.close();
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
    void theExpiryOfWhatClientsSeeIsAMetric() throws Exception {
        SelfSignedCertificate first = SelfSignedCertificate.generate("one", List.of("localhost"));
        write(first);
        try (RunningProxy running = RunningProxy.start(directory, SETTINGS, BUCKET)) {
            assertThat(expiryScraped(running)).isEqualTo(expiry(first));

            // A chain is as good as its first to expire.
            SelfSignedCertificate second = SelfSignedCertificate.generate("two", List.of("localhost"));
            write(second);
            Files.writeString(
                    directory.resolve("tls.crt"), "Renewed.\n" + second.pem() + first.pem(), StandardCharsets.UTF_8);
            running.instance.reload();
            assertThat(expiryScraped(running)).isEqualTo(Math.min(expiry(first), expiry(second)));
        }
    }

    private static double expiry(SelfSignedCertificate certificate) {
        return certificate.certificate().getNotAfter().toInstant().getEpochSecond();
    }

    private static double expiryScraped(RunningProxy running) throws Exception {
        return scrape(running.instance).value("proxy_certificate_expiry_timestamp_seconds");
    }

    @Test
    void filesThatCantBeUsedChangeNothingAndAreNamedInTheLog() throws Exception {
        BigInteger first = write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (RunningProxy running = RunningProxy.start(directory, SETTINGS, BUCKET)) {
            Files.writeString(directory.resolve("tls.crt"), "half a certificate");
            running.instance.reload();
            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(first);
            assertThat(errors()).singleElement().asString().contains("tls.crt", "previous one stays in use");

            Files.delete(directory.resolve("tls.crt"));
            running.instance.reload();
            assertThat(serialSeenAt(running.proxy.port())).isEqualTo(first);
            assertThat(errors()).hasSize(2).last().asString().contains("tls.crt", "previous one stays in use");
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
        try (Certificates certificates = Certificates.load(settings(), false, "test", Duration.ofMillis(10))) {
            TlsContexts first = certificates.latest();

            write(SelfSignedCertificate.generate("two", List.of("localhost")));
            // Two writes in one tick of the file system's clock would look the same.
            Files.setLastModifiedTime(
                    directory.resolve("tls.key"), FileTime.from(Instant.now().plusSeconds(5)));

            await().until(() -> certificates.latest() != first);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls.crt", "tls.key", "clients.crt"})
    void eachOfTheFilesCounts(String changed) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.generate("one", List.of("localhost"));
        write(certificate);
        Files.writeString(directory.resolve("clients.crt"), certificate.pem());
        TlsConfig settings = settings(SETTINGS.replace("}", ", client_ca: clients.crt}"));
        try (Certificates certificates = Certificates.load(settings, false, "test", Duration.ofDays(1))) {
            TlsContexts first = certificates.latest();
            Files.setLastModifiedTime(
                    directory.resolve(changed), FileTime.from(Instant.now().plusSeconds(5)));
            certificates.reloadIfChanged();
            assertThat(certificates.latest()).isNotSameAs(first);
        }
    }

    @Test
    void aFileOfTheSameTimeAndAnotherSizeHasChanged() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        Path file = directory.resolve("tls.crt");
        try (Certificates certificates = Certificates.load(settings(), false, "test", Duration.ofDays(1))) {
            TlsContexts first = certificates.latest();
            FileTime modified = Files.getLastModifiedTime(file);
            Files.writeString(file, "\n", StandardOpenOption.APPEND);
            Files.setLastModifiedTime(file, modified);
            certificates.reloadIfChanged();
            assertThat(certificates.latest()).isNotSameAs(first);
        }
    }

    @Test
    void whereTlsIsOffFilesAreNotRead() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        Files.writeString(directory.resolve("tls.crt"), "broken");
        try (Certificates certificates =
                Certificates.load(settings(SETTINGS.replace("required", "off")), false, "test", Certificates.LOOKING)) {
            certificates.reload();
            assertThat(errors()).isEmpty();
        }
    }

    @Test
    void aKeyThatIsLockedIsOpenedWithItsPassword() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.generate("one", List.of("localhost"));
        write(certificate);
        Cipher cipher = Cipher.getInstance("PBEWithSHA1AndDESede");
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance("PBEWithSHA1AndDESede")
                        .generateSecret(new PBEKeySpec("key-1".toCharArray())));
        byte[] locked = new EncryptedPrivateKeyInfo(
                        cipher.getParameters(), cipher.doFinal(certificate.key().getEncoded()))
                .getEncoded();
        Files.writeString(directory.resolve("tls.key"), KeyFiles.pem("ENCRYPTED PRIVATE KEY", locked));
        TlsConfig settings = settings(SETTINGS.replace("}", ", private_key_password: key-1}"));
        try (Certificates certificates = Certificates.load(settings, false, "test", Certificates.LOOKING)) {
            assertThat(certificates.latest()).isNotNull();
        }
        TlsConfig wrong = settings(SETTINGS.replace("}", ", private_key_password: key-2}"));
        assertThatThrownBy(() -> Certificates.load(wrong, false, "test", Certificates.LOOKING))
                .isInstanceOf(IOException.class);
    }

    @Test
    void whoIsClosedLooksNoMore() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        Certificates closed = Certificates.load(settings(), false, "test", Duration.ofMillis(10));
        closed.close();
        try (Certificates other = Certificates.load(settings(), false, "test", Duration.ofMillis(50))) {
            TlsContexts first = closed.latest();
            // Between its first look and its second, one that was not closed would have looked several times.
            for (int look = 1; look <= 2; look++) {
                TlsContexts others = other.latest();
                Files.setLastModifiedTime(
                        directory.resolve("tls.key"),
                        FileTime.from(Instant.now().plusSeconds(5 * look)));
                await().until(() -> other.latest() != others);
            }
            assertThat(closed.latest()).isSameAs(first);
        }
    }

    @Test
    void filesThatStayAsTheyAreAreNotReadAgain() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (Certificates certificates = Certificates.load(settings(), false, "test", Duration.ofDays(1))) {
            TlsContexts first = certificates.latest();
            certificates.reloadIfChanged();
            assertThat(certificates.latest()).isSameAs(first);
        }
    }

    @Test
    void aBrokenFileIsToldOnceAndNotAgainUntilItChanges() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        try (Certificates certificates = Certificates.load(settings(), false, "test", Duration.ofDays(1))) {
            Files.writeString(directory.resolve("tls.crt"), "broken");
            certificates.reloadIfChanged();
            certificates.reloadIfChanged();
            assertThat(errors()).hasSize(1);
            Files.writeString(directory.resolve("tls.crt"), "broken in another way");
            certificates.reloadIfChanged();
            certificates.reloadIfChanged();
            assertThat(errors()).hasSize(2);
        }
    }

    /** TLS takes such a file, and the JDK's Base64, by which its expiry is read, does not. */
    @Test
    void aFileThatIsOnlyHalfReadableChangesNothingUntilItIsReplaced() throws Exception {
        write(SelfSignedCertificate.generate("one", List.of("localhost")));
        SelfSignedCertificate second = SelfSignedCertificate.generate("two", List.of("localhost"));
        try (Certificates certificates = Certificates.load(settings(), false, "test", Duration.ofDays(1))) {
            TlsContexts first = certificates.latest();
            write(second);
            Files.writeString(
                    directory.resolve("tls.crt"),
                    second.pem().replace("-----END CERTIFICATE", "AAAAA\n-----END CERTIFICATE"));
            certificates.reloadIfChanged();
            assertThat(certificates.latest()).isSameAs(first);
            assertThat(errors()).singleElement().asString().contains("tls.crt");

            write(second);
            certificates.reloadIfChanged();
            assertThat(certificates.latest()).isNotSameAs(first);
        }
    }

    private TlsConfig settings() {
        return settings(SETTINGS);
    }

    private TlsConfig settings(String tls) {
        return ConfigurationReader.ofThisProcess()
                .read("proxy: {" + tls + "}", "buckets: [{id: a, host: h, database: d, max_connections: 9}]", directory)
                .orThrow()
                .proxy()
                .tls();
    }

    private List<String> errors() {
        return log.linesOf(Level.ERROR);
    }

    /** Returns its serial number. */
    private BigInteger write(SelfSignedCertificate certificate) throws IOException {
        KeyFiles.write(directory, "tls", certificate);
        return certificate.certificate().getSerialNumber();
    }

    /** What a client of TDS 8.0 is shown, which begins with TLS. */
    private static BigInteger serialSeenAt(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), new SecureRandom());
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
}
