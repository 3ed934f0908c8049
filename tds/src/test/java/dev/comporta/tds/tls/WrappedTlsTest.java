package dev.comporta.tds.tls;

import static dev.comporta.tds.tls.TlsPair.contains;
import static dev.comporta.tds.tls.TlsPair.outboundOf;
import static dev.comporta.tds.tls.TlsPair.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.packet.PacketType;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrappedTlsTest {
    private static final int TLS_APPLICATION_DATA = 0x17;

    static Stream<Arguments> providers() {
        return Stream.of(SslProvider.JDK, SslProvider.OPENSSL)
                .flatMap(c -> Stream.of(SslProvider.JDK, SslProvider.OPENSSL).map(s -> Arguments.of(c, s)));
    }

    @Test
    void nativeTlsIsThere() {
        assertThat(OpenSsl.isAvailable()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void fullEncryptionCoversEverythingAfterTheHandshake(SslProvider client, SslProvider server) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(client, server, Outcome.FULL).exchange()) {
            assertOnlyPreloginPackets(pair.fromClient.toByteArray());
            assertOnlyPreloginPackets(pair.fromServer.toByteArray());
            pair.fromClient.reset();
            pair.fromServer.reset();

            login(pair);
            pair.exchange();
            send(pair.server, PacketType.TABULAR_RESULT, "welcome");
            send(pair.client, PacketType.SQL_BATCH, "select");
            pair.exchange();

            assertThat(pair.atServer.packets).containsExactly("16:login", "1:select");
            assertThat(pair.atClient.packets).containsExactly("4:welcome");
            assertThat(pair.fromClient.toByteArray()[0]).isEqualTo((byte) TLS_APPLICATION_DATA);
            assertThat(contains(pair.fromClient, "login")).isFalse();
            assertThat(contains(pair.fromClient, "select")).isFalse();
            assertThat(contains(pair.fromServer, "welcome")).isFalse();
            assertThat(pair.client.pipeline().get(WrappedTls.class)).isNull();
            assertThat(pair.server.pipeline().get(WrappedTls.class)).isNull();
            assertThat(pair.server.pipeline().get(SslHandler.class)).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void loginOnlyEncryptionEndsWithLogin7(SslProvider client, SslProvider server) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(client, server, Outcome.LOGIN_ONLY).exchange()) {
            login(pair);
            pair.exchange();
            send(pair.server, PacketType.TABULAR_RESULT, "welcome");
            send(pair.client, PacketType.SQL_BATCH, "select");
            pair.exchange();

            assertThat(pair.atServer.packets).containsExactly("16:login", "1:select");
            assertThat(pair.atClient.packets).containsExactly("4:welcome");
            assertThat(contains(pair.fromClient, "login")).isFalse();
            assertThat(contains(pair.fromServer, "welcome")).isTrue();
            assertThat(contains(pair.fromClient, "select")).isTrue();
            for (var side : List.of(pair.client, pair.server)) {
                assertThat(side.pipeline().get(SslHandler.class)).isNull();
                assertThat(side.pipeline().get(WrappedTls.class)).isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, FULL", "1, LOGIN_ONLY", "2, FULL", "5, LOGIN_ONLY", "8, FULL", "9, LOGIN_ONLY", "4095, FULL"})
    void networkMayDeliverInAnyPieces(int size, Outcome outcome) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.JDK, outcome)
                .inPiecesOf(size)
                .exchange()) {
            login(pair);
            send(pair.client, PacketType.SQL_BATCH, "select");
            pair.exchange();
            send(pair.server, PacketType.TABULAR_RESULT, "welcome");
            pair.exchange();

            assertThat(pair.atServer.packets).containsExactly("16:login", "1:select");
            assertThat(pair.atClient.packets).containsExactly("4:welcome");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void plainBytesBehindLogin7ArriveWhereverTheStreamIsCut(SslProvider server) throws Exception {
        int length = 1;
        for (int cut = 0; cut < length; cut++) {
            try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, server, Outcome.LOGIN_ONLY)
                    .exchange()) {
                login(pair);
                send(pair.client, PacketType.SQL_BATCH, "plain");
                byte[] stream = outboundOf(pair.client);
                length = stream.length;

                pair.deliver(Arrays.copyOf(stream, cut), pair.server);
                pair.deliver(Arrays.copyOfRange(stream, cut, length), pair.server);

                assertThat(pair.atServer.packets).as("cut at %d", cut).containsExactly("16:login", "1:plain");
            }
        }
        assertThat(length).isGreaterThan(40);
    }

    /** Drivers expect the server's flight, or the end: one that got a warning alone would wait for the rest of the flight. */
    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void saysNothingWhenClosedBeforeTheHandshake(SslProvider server) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.JDK, server, Outcome.FULL)) {
            pair.server.close();
            assertThat(outboundOf(pair.server)).isEmpty();
            assertThat(pair.server.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void saysNothingWhenClosedDuringTheHandshake(SslProvider server) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.JDK, server, Outcome.FULL)) {
            pair.deliver(outboundOf(pair.client), pair.server);
            assertThat(outboundOf(pair.server)).isNotEmpty();
            pair.server.close();
            assertThat(outboundOf(pair.server)).isEmpty();
            assertThat(pair.server.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void saysWhatIsWrongWithTheHandshake(SslProvider server) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.JDK, server, Outcome.FULL)) {
            byte[] outOfOrder = {0x12, 1, 0, 17, 0, 0, 1, 0, 0x16, 3, 3, 0, 4, 14, 0, 0, 0};
            pair.deliver(outOfOrder, pair.server);
            byte[] answer = outboundOf(pair.server);
            assertThat(answer).startsWith(0x12, 1, 0, 15, 0, 0, 1, 0, 0x15, 3);
            assertThat(answer[8 + 5]).as("level").isEqualTo((byte) 2);
        }
    }

    @Test
    void loginOfManyRecordsIsReadToItsEnd() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.JDK, SslProvider.OPENSSL, Outcome.LOGIN_ONLY)
                .exchange()) {
            String first = "x".repeat(20_000);
            send(pair.client, PacketType.LOGIN7, 0, first);
            login(pair);
            send(pair.client, PacketType.SQL_BATCH, "plain");
            pair.exchange();

            assertThat(pair.atServer.packets).containsExactly("16:" + first, "16:login", "1:plain");
        }
    }

    @Test
    void handshakeMayTakeAsLongAsTheLoginMay() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.OPENSSL, Outcome.FULL)) {
            for (EmbeddedChannel side : List.of(pair.client, pair.server)) {
                side.advanceTimeBy(1, TimeUnit.HOURS);
                side.runScheduledPendingTasks();
            }
            login(pair.exchange());
            pair.exchange();

            assertThat(pair.atClient.failures).isEmpty();
            assertThat(pair.atServer.failures).isEmpty();
            assertThat(pair.atServer.packets).containsExactly("16:login");
        }
    }

    @Test
    void flightIsOneMessage() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.JDK, SslProvider.JDK, Outcome.FULL)) {
            byte[] hello = outboundOf(pair.client);
            pair.deliver(hello, pair.server);
            byte[] answer = outboundOf(pair.server);

            for (byte[] flight : List.of(hello, answer)) {
                assertThat(flight[1]).as("end of message").isEqualTo((byte) 1);
                assertThat(length(flight, 0)).isEqualTo(flight.length);
            }
        }
    }

    @Test
    void wrappedHandshakesStayAtTls12() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.OPENSSL, Outcome.FULL)
                .exchange()) {
            SslHandler ssl = pair.server.pipeline().get(SslHandler.class);
            assertThat(ssl.engine().getSession().getProtocol()).isEqualTo("TLSv1.2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.1\r\n\r\n", "\u0001\u0001\u0000\u0010abcdefgh", "\u0012\u0001\u0000\u0008abcd"})
    void garbageInsteadOfTheHandshakeIsAProtocolError(String garbage) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.OPENSSL, Outcome.FULL)) {
            pair.deliver(garbage.getBytes(StandardCharsets.ISO_8859_1), pair.server);

            assertThat(pair.atServer.failures.getFirst()).isInstanceOf(ProtocolException.class);
            assertThat(pair.server.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void garbageInsideAHandshakePacketFailsTheHandshake(SslProvider provider) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(provider, provider, Outcome.LOGIN_ONLY)) {
            WrappedTls tls = pair.server.pipeline().get(WrappedTls.class);
            pair.deliver("\u0012\u0001\u0000\u0010abcdefghijkl".getBytes(StandardCharsets.ISO_8859_1), pair.server);

            assertThat(pair.atServer.failures.getFirst()).isInstanceOf(DecoderException.class);
            assertThat(tls.handshakeFuture().isDone()).isTrue();
            assertThat(tls.handshakeFuture().isSuccess()).isFalse();
        }
    }

    @Test
    void plainLoginAfterTheHandshakeIsAProtocolError() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.OPENSSL, Outcome.LOGIN_ONLY)
                .exchange()) {
            pair.deliver(new byte[] {PacketType.LOGIN7, 1, 0, 9, 0, 0, 0, 0, 0}, pair.server);

            assertThat(pair.atServer.failures.getFirst()).isInstanceOf(ProtocolException.class);
            assertThat(pair.atServer.packets).isEmpty();
        }
    }

    @Test
    void recordThatLiesAboutItsLengthIsAProtocolError() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.OPENSSL, Outcome.LOGIN_ONLY)
                .exchange()) {
            pair.deliver(new byte[] {TLS_APPLICATION_DATA, 3, 3, (byte) 0xFF, (byte) 0xFF}, pair.server);

            assertThat(pair.atServer.failures.getFirst())
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("65535");
        }
    }

    @Test
    void loginBeforeTheEndOfTheHandshakeIsACallersError() throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.JDK, SslProvider.JDK, Outcome.LOGIN_ONLY)) {
            WrappedTls tls = pair.client.pipeline().get(WrappedTls.class);

            assertThatThrownBy(() -> tls.endEncryption(pair.client.pipeline().lastContext()))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "REFUSED"})
    void thereIsNoTlsWithoutAnAgreementOnIt(Outcome outcome) {
        assertThatThrownBy(() -> TlsPair.wrapped(SslProvider.JDK, SslProvider.JDK, outcome))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 50})
    void closingInTheMiddleOfTheHandshakeLeavesNothingBehind(int received) throws Exception {
        try (TlsPair pair = TlsPair.wrapped(SslProvider.OPENSSL, SslProvider.OPENSSL, Outcome.FULL)) {
            WrappedTls tls = pair.server.pipeline().get(WrappedTls.class);
            pair.deliver(Arrays.copyOf(outboundOf(pair.client), received), pair.server);
            pair.server.close();

            assertThat(tls.handshakeFuture().isDone()).isTrue();
            assertThat(tls.handshakeFuture().isSuccess()).isFalse();
        }
    }

    private static void login(TlsPair pair) {
        WrappedTls tls = pair.client.pipeline().get(WrappedTls.class);
        send(pair.client, PacketType.LOGIN7, "login");
        if (tls != null) {
            tls.endEncryption(pair.client.pipeline().lastContext());
        }
    }

    private static void assertOnlyPreloginPackets(byte[] wire) {
        int at = 0;
        while (at < wire.length) {
            assertThat(wire[at]).isEqualTo((byte) PacketType.PRELOGIN);
            at += length(wire, at);
        }
        assertThat(at).isEqualTo(wire.length);
    }

    private static int length(byte[] wire, int at) {
        return (wire[at + 2] & 0xFF) << 8 | wire[at + 3] & 0xFF;
    }
}
