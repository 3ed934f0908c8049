package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.RawClient;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may speak to the proxy at all, before any login. */
@Timeout(60)
class ClientCertificateTest {
    private static final String BUCKET = "max_connections: 2, trust_server_certificate: true";
    private static final char[] NO_PASSWORD = new char[0];

    @TempDir
    private Path directory;

    @Test
    void onlyWhoShowsACertificateOfTheAuthorityIsHeard() throws Exception {
        SelfSignedCertificate known = SelfSignedCertificate.generate("known", List.of("client.test"));
        SelfSignedCertificate stranger = SelfSignedCertificate.generate("stranger", List.of("client.test"));
        Files.writeString(directory.resolve("clients.crt"), known.pem());
        try (RunningProxy running =
                RunningProxy.start(directory, "tls: {mode: required, client_ca: clients.crt}", BUCKET)) {
            assertThat(isAnswered(running, known)).isTrue();
            assertThat(isAnswered(running, stranger)).isFalse();
            assertThat(isAnswered(running, null)).isFalse();
        }
    }

    @Test
    void anotherAuthorityCountsFromTheReloadOn() throws Exception {
        SelfSignedCertificate before = SelfSignedCertificate.generate("before", List.of("client.test"));
        SelfSignedCertificate after = SelfSignedCertificate.generate("after", List.of("client.test"));
        Files.writeString(directory.resolve("clients.crt"), before.pem());
        try (RunningProxy running =
                RunningProxy.start(directory, "tls: {mode: required, client_ca: clients.crt}", BUCKET)) {
            assertThat(isAnswered(running, after)).isFalse();
            Files.writeString(directory.resolve("clients.crt"), after.pem());
            running.instance.reload();
            assertThat(isAnswered(running, after)).isTrue();
            assertThat(isAnswered(running, before)).isFalse();
        }
    }

    @Test
    void whereTlsIsRequiredNobodyLogsInWithoutIt() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "tls: {mode: required}", BUCKET);
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), running.proxy.port())) {
            plain.getOutputStream().write(prelogin());
            byte[] header = plain.getInputStream().readNBytes(PacketHeader.LENGTH);
            byte[] body = plain.getInputStream()
                    .readNBytes(PacketHeader.length(Unpooled.wrappedBuffer(header)) - PacketHeader.LENGTH);
            assertThat(Prelogin.read(Unpooled.wrappedBuffer(body)).encryption()).isEqualTo(Encryption.REQUIRED);
            assertThat(plain.getInputStream().read()).isEqualTo(-1);
            try (RawClient bold = new RawClient(running.proxy.port())) {
                bold.sendLogin(); // without asking first
                assertThat(bold.isHungUpOn()).isTrue();
            }
            assertThat(running.server.counters().logins()).isZero();
        }
    }

    private static boolean isAnswered(RunningProxy running, SelfSignedCertificate shown) throws Exception {
        try (SSLSocket socket = (SSLSocket) context(shown)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), running.proxy.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {TlsContexts.ALPN});
            socket.setSSLParameters(parameters);
            socket.getOutputStream().write(prelogin());
            return socket.getInputStream().read() == PacketType.TABULAR_RESULT;
        } catch (IOException _) {
            return false;
        }
    }

    private static byte[] prelogin() {
        ByteBuf body = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(Encryption.NOT_SUPPORTED)
                .build()
                .write(body);
        ByteBuf packet = Unpooled.buffer()
                .writeByte(PacketType.PRELOGIN)
                .writeByte(PacketHeader.STATUS_EOM)
                .writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body);
        return ByteBufUtil.getBytes(packet);
    }

    private static SSLContext context(SelfSignedCertificate shown) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (shown != null) {
            store.setKeyEntry("client", shown.key(), NO_PASSWORD, new Certificate[] {shown.certificate()});
        }
        keys.init(store, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }
}
