package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tls.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which cipher suites are agreed on with clients, and with servers. */
@Timeout(60)
class CiphersTest {
    private static final String BUCKET = "max_connections: 2, trust_server_certificate: true";
    private static final String OLD = "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
            })
    void modernSuitesAreAgreedOn(String cipher) throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "tls: {mode: required}", BUCKET)) {
            assertThat(TlsContexts.MODERN_CIPHERS).contains(cipher);
            assertThat(agreed(running, "TLSv1.2", cipher)).isEqualTo(cipher);
        }
    }

    @Test
    void strictConnectionsGetTls13() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "tls: {mode: required}", BUCKET)) {
            String[] cipher = {"TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"};
            assertThat(session(running, new String[] {"TLSv1.2", "TLSv1.3"}, cipher)
                            .getProtocol())
                    .as("of both that the client has")
                    .isEqualTo("TLSv1.3");
        }
    }

    @Test
    void cbcWithSha1IsNotUnlessItIsConfigured() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "tls: {mode: required}", BUCKET)) {
            assertThatThrownBy(() -> agreed(running, "TLSv1.2", OLD)).isInstanceOf(SSLException.class);
        }
        String settings = "tls: {mode: required, ciphers: " + OLD + "}";
        try (RunningProxy running = RunningProxy.start(directory, settings, BUCKET)) {
            assertThat(agreed(running, "TLSv1.2", OLD)).isEqualTo(OLD);
            running.connect().close();
        }
    }

    @Test
    void aServerIsOfferedWhatIsConfigured() throws Exception {
        try (RunningProxy running =
                RunningProxy.start(directory, "", BUCKET + ", tls_ciphers: tls_ecdhe_rsa_with_aes_128_gcm_sha256")) {
            running.connect().close();
        }
        // The stand-in's certificate has an RSA key.
        try (RunningProxy running = RunningProxy.start(
                directory, "", BUCKET + ", when_down: refuse, tls_ciphers: tls_ecdhe_ecdsa_with_aes_128_gcm_sha256")) {
            assertThatThrownBy(running::connect)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("TLS handshake failed");
        }
    }

    private static String agreed(RunningProxy running, String protocol, String cipher) throws Exception {
        return session(running, new String[] {protocol}, new String[] {cipher}).getCipherSuite();
    }

    private static SSLSession session(RunningProxy running, String[] protocols, String[] ciphers) throws Exception {
        try (SSLSocket socket = TrustingSocket.connect(running.proxy.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(protocols);
            parameters.setCipherSuites(ciphers);
            parameters.setApplicationProtocols(new String[] {TlsContexts.ALPN});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getSession();
        } catch (SSLException e) {
            throw e;
        } catch (IOException e) {
            throw new SSLException(e); // hung up on
        }
    }
}
