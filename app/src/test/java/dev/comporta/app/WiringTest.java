package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.tls.SelfSignedCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the files say is what the proxy does. */
@Timeout(60)
class WiringTest {
    private static final String TRUSTING = "max_connections: 2, trust_server_certificate: true";

    @TempDir
    private Path directory;

    @Test
    void clientsReachTheirBucket() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", TRUSTING);
                Connection client = running.connect()) {
            assertThat(ask(client, "SELECT DB_NAME()")).isEqualTo("AppDB");
        }
    }

    @Test
    void aDatabaseOfNoBucketIsRefusedWithTheReason() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", TRUSTING)) {
            assertError(
                    () -> running.connect("main", "databaseName=Nowhere;user=sa;password=" + PASSWORD),
                    50002,
                    "No bucket is configured for this login (database 'Nowhere'");
        }
    }

    @Test
    void aListenerLeadsWhereItsRouteSays() throws Exception {
        String settings =
                "listeners: [{name: second, addr: 127.0.0.1, port: 0}], routes: [{listener: second, bucket: one}]";
        try (RunningProxy running = RunningProxy.start(directory, settings, TRUSTING)) {
            String master = "databaseName=master;user=sa;password=" + PASSWORD;
            try (Connection client = running.connect("second", master)) {
                assertThat(ask(client, "SELECT DB_NAME()")).isEqualTo("master");
            }
            assertError(() -> running.connect("main", master), 50002, "No bucket");
        }
    }

    @Test
    void mappedClientsUseTheServiceAccount() throws Exception {
        String bucket = TRUSTING + ", auth: mapped, username: sa, password: " + PASSWORD
                + ", logins: [{username: web, password: w1}, {username: jobs, password: j1}]";
        try (RunningProxy running = RunningProxy.start(directory, "", bucket)) {
            for (String login : List.of("user=web;password=w1", "user=JOBS;password=j1")) {
                try (Connection client = running.connect("main", login)) {
                    assertThat(ask(client, "SELECT SUSER_SNAME()")).isEqualTo("sa");
                }
            }
            assertError(() -> running.connect("main", "user=web;password=j1"), 18456, "Login failed for user 'web'");
            assertError(() -> running.connect("main", "user=sa;password=" + PASSWORD), 18456, "Login failed");
        }
    }

    @Test
    void mappedWithoutLoginsTakesTheAccountsOwnCredentials() throws Exception {
        String bucket = TRUSTING + ", auth: mapped, username: sa, password: " + PASSWORD;
        try (RunningProxy running = RunningProxy.start(directory, "", bucket)) {
            running.connect().close();
            assertError(() -> running.connect("main", "user=other;password=" + PASSWORD), 18456, "Login failed");
        }
    }

    @Test
    void clientsSeeTheCertificateOfTheFiles() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.generate("proxy", List.of("proxy.test"));
        KeyFiles.write(directory, "tls", certificate);
        String settings = "tls: {mode: required, certificate: tls.crt, private_key: tls.key}";
        String login = "user=sa;encrypt=true;trustServerCertificate=false;trustStorePassword=changeit;trustStore="
                + trustStore(certificate) + ";password=" + PASSWORD;
        try (RunningProxy running = RunningProxy.start(directory, settings, TRUSTING)) {
            try (Connection client = running.connect("main", login + ";hostNameInCertificate=proxy.test")) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            }
            assertThatThrownBy(() -> running.connect("main", login + ";hostNameInCertificate=else.test"))
                    .isInstanceOf(SQLException.class);
        }
    }

    private Path trustStore(SelfSignedCertificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("proxy", certificate.certificate());
        Path file = directory.resolve("trust.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "changeit".toCharArray());
        }
        return file;
    }

    @Test
    void aCertificateThatIsNoneStopsTheStart() throws IOException {
        Files.writeString(directory.resolve("tls.crt"), "nothing");
        Files.writeString(directory.resolve("tls.key"), "nothing");
        assertThatThrownBy(() ->
                        RunningProxy.start(directory, "tls: {certificate: tls.crt, private_key: tls.key}", TRUSTING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.crt");
    }

    @Test
    void theServersCertificateIsCheckedAgainstTheFileAndTheName() throws Exception {
        Files.writeString(directory.resolve("ca.pem"), Standin.certificatePem());
        String trusted = "max_connections: 2, ca_file: ca.pem, host_name_in_certificate: ";
        try (RunningProxy running = RunningProxy.start(directory, "", trusted + "localhost")) {
            running.connect().close();
        }
        try (RunningProxy running = RunningProxy.start(directory, "", trusted + "else.test, when_down: refuse")) {
            assertError(running::connect, 50003, "TLS handshake failed");
        }
        try (RunningProxy running =
                RunningProxy.start(directory, "", "max_connections: 2, encrypt: on, when_down: refuse")) {
            assertError(running::connect, 50003, "TLS handshake failed");
        }
    }

    @Test
    void everyWayToEncryptWorks() throws Exception {
        for (String encrypt : List.of("off", "login", "on", "strict")) {
            String bucket = TRUSTING + ", pool_mode: session, encrypt: " + encrypt;
            try (RunningProxy running = RunningProxy.start(directory, "tls: {mode: off}", bucket);
                    Connection client = running.connect()) {
                assertThat(ask(client, "SELECT 1")).as(encrypt).isEqualTo("1");
                assertThat(new ConsoleClient(running.instance).ask("SELECT encrypted FROM sys.remote_connections"))
                        .as("what follows the login with %s", encrypt)
                        .isEqualTo(encrypt.equals("on") || encrypt.equals("strict") ? "true" : "false");
            }
        }
    }

    private interface Dialling {
        Connection dial() throws SQLException;
    }

    private static void assertError(Dialling dialling, int number, String text) {
        assertThatThrownBy(dialling::dial)
                .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                .hasMessageContaining(text)
                .extracting(SQLException::getErrorCode)
                .isEqualTo(number);
    }
}
