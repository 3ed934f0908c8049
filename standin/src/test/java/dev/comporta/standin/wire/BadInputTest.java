package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.standin.engine.HandleCounts;
import dev.comporta.tds.login.Encryption.Policy;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the internet sends to open ports, and what a driver would only send if it were broken. */
class BadInputTest {
    private ScriptedServer server;
    private LogLines log;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer(Policy.OPTIONAL);
        log = new LogLines(ConnectionGuard.class);
    }

    @AfterEach
    void stop() {
        log.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP request            | 474554202f20485454502f312e310d0a0d0a                   | byte 71",
                "SSH                     | 5353482d322e300d0a                                     | byte 83",
                "zeros                   | 0000000000000000                                       | byte 0",
                "packet shorter than its header | 12010004000000 00                               | 4 bytes",
                "packet of length 0      | 1201000000000000                                       | 0 bytes",
                "PRELOGIN of garbage     | 1201000c00000100 deadbeef                              | PRELOGIN",
                "PRELOGIN without end    | 1201000d00000100 0000060006                            | PRELOGIN",
                "batch before the login  | 1201000900000100 ff 0101000900000100 00                | PRELOGIN",
                "LOGIN7 of nothing       | 1001000800000100                                       | LOGIN7",
                "LOGIN7 cut short        | 1001001000000100 9000000004000074                      | LOGIN7",
                "LOGIN7 that says 4 GB   | 1001001000000100 ffffffff04000074                      | LOGIN7",
                "unknown packet in the middle | 1000001000000100 9000000004000074 7f01000800000000 | unknown type 0x7f",
                "TLS hello of garbage    | 1603010005 0100000100 00                               | TLS",
            })
    void isClosedWithOneLineInTheLog(String what, String hex, String complaint) throws Exception {
        int port;
        try (RawClient client = new RawClient(server.port())) {
            port = client.localPort();
            client.raw(HexFormat.of().parseHex(hex.replace(" ", "")));

            assertThat(client.isHungUpOn()).isTrue();
        }
        ILoggingEvent line = awaitLine(port, Level.INFO);
        assertThat(line.getFormattedMessage()).contains(complaint);
        assertThat(line.getThrowableProxy()).as("stack trace").isNull();
        assertThat(server.wire.counters(HandleCounts.NONE).protocolErrors()).isEqualTo(1);
        assertOthersAreServed();
        assertThat(log.about(port, Level.TRACE)).as("later and of any level").containsExactly(line);
    }

    @Test
    void portScanIsNoError() throws Exception {
        Socket scan = new Socket(InetAddress.getLoopbackAddress(), server.port());
        scan.close();

        assertThat(awaitLine(scan.getLocalPort(), Level.INFO).getFormattedMessage())
                .contains("disconnected before its login");
        assertThat(server.wire.counters(HandleCounts.NONE).protocolErrors()).isZero();
        assertOthersAreServed();
    }

    @Test
    void tlsWithoutTdsInsideIsClosed() throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new TrustAnything()}, null);
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
            assertThat(awaitLine(socket.getLocalPort(), Level.INFO).getFormattedMessage())
                    .contains("unknown type 0x47");
        }
    }

    @Test
    void halfALoginIsGivenUpAfterItsTime() throws Exception {
        server.close();
        WireSettings settings = ScriptedServer.settings(Policy.OPTIONAL, false);
        server = new ScriptedServer(new WireSettings(
                settings.serverName(),
                settings.habits(),
                settings.newestVersion(),
                settings.encryption(),
                settings.tls(),
                false,
                false,
                Duration.ofMillis(200),
                settings.maxMessageBytes(),
                settings.columnEncryption()));
        long start = System.nanoTime();
        try (RawClient client = new RawClient(server.port())) {
            client.raw(new byte[] {0x12, 1, 0});

            assertThat(client.isHungUpOn()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(awaitLine(client.localPort(), Level.WARN).getFormattedMessage())
                    .contains("no login within PT0.2S");
        }
    }

    @Test
    void messageBeyondTheLimitEndsItsConnection() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            int limit = 1 << 20;
            MessageWriter writer = client.writer();
            writer.begin(PacketType.SQL_BATCH);
            try {
                for (int sent = 0; sent <= 2 * limit; sent += 1000) {
                    writer.writeBytes(new byte[1000]);
                }
            } catch (UncheckedIOException e) {
                // The server has closed before it was all sent.
            } finally {
                writer.discard();
            }

            assertThat(client.isHungUpOn()).isTrue();
            assertThat(awaitLine(client.localPort(), Level.WARN).getFormattedMessage())
                    .contains("SQL batch message of more than 1048576 bytes");
        }
        assertOthersAreServed();
    }

    @Test
    void requestThatCantBeReadIsToldSoAndClosed() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            client.raw(HexFormat.of().parseHex("0301000c00000100" + "ffffffff"));

            assertThat(client.tokens().getFirst()).startsWith("ERROR 4002 state 1 class 16");
            assertThat(client.isHungUpOn()).isTrue();
            assertThat(awaitLine(client.localPort(), Level.WARN).getFormattedMessage())
                    .contains("protocol error");
        }
    }

    @Test
    void memoryStaysFlat() throws Exception {
        for (int round = 0; round < 5; round++) {
            flood();
        }
        long before = usedMemory();
        try (LeakWatch watch = new LeakWatch()) {
            for (int round = 0; round < 50; round++) {
                flood();
            }
            // The last of them may still be on their way out.
            await().untilAsserted(() -> assertThat(usedMemory()).isLessThanOrEqualTo(before + (8 << 20)));
            watch.assertNone();
        }
    }

    private void flood() throws IOException {
        for (String hex : new String[] {"47455420", "1001001000000100ffffffff04000074", "12018000", "1603010200"}) {
            try (RawClient client = new RawClient(server.port())) {
                client.raw(HexFormat.of().parseHex(hex));
            }
        }
    }

    private static long usedMemory() {
        ByteBufAllocatorMetric metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return metric.usedDirectMemory() + metric.usedHeapMemory();
    }

    /** Waits for the one line in the log about this client. */
    private ILoggingEvent awaitLine(int clientPort, Level level) {
        await().untilAsserted(() -> assertThat(log.about(clientPort, level)).hasSize(1));
        return log.about(clientPort, level).getFirst();
    }

    private void assertOthersAreServed() throws IOException {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("SELECT 1", AllHeaders.AUTOCOMMIT, 0)).hasSize(3);
        }
    }

    private static final class TrustAnything implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
