package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.standin.Standin;
import dev.comporta.tls.TlsContexts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS 1.2 lets a client begin one handshake after the other on a connection, and each costs the server more than the client. */
@Timeout(60)
class RenegotiationTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientsHaveOneHandshakeOnly(boolean nativeTls) throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                ChildProxy proxy = ChildProxy.start(
                        directory,
                        server,
                        ":",
                        List.of("-Dio.netty.handler.ssl.noOpenSsl=" + !nativeTls),
                        "tls: {mode: required}",
                        "max_connections: 2, trust_server_certificate: true");
                SSLSocket socket = TrustingSocket.connect(proxy.port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.2"});
            parameters.setApplicationProtocols(new String[] {TlsContexts.ALPN});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(30_000);
            BlockingQueue<HandshakeCompletedEvent> handshakes = new LinkedBlockingQueue<>();
            socket.addHandshakeCompletedListener(handshakes::add);
            socket.startHandshake();
            assertThat(handshakes.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThatThrownBy(() -> {
                        socket.startHandshake(); // asks for another, and returns
                        if (socket.getInputStream().read() < 0) {
                            throw new SSLException("hung up on");
                        }
                    })
                    .isInstanceOf(SSLException.class);
            assertThat(handshakes).isEmpty();
        }
    }
}
