package dev.comporta.tds.tls;

import static dev.comporta.tds.tls.TlsPair.contains;
import static dev.comporta.tds.tls.TlsPair.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.FirstByteSwitch.Beginning;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FirstByteSwitchTest {
    @ParameterizedTest
    @MethodSource("dev.comporta.tds.tls.WrappedTlsTest#providers")
    void strictConnectionsSpeakTdsInsideTls(SslProvider client, SslProvider server) throws Exception {
        try (TlsPair pair = TlsPair.strict(client, server).exchange()) {
            send(pair.client, PacketType.PRELOGIN, "prelogin");
            pair.exchange();
            send(pair.server, PacketType.TABULAR_RESULT, "answer");
            pair.exchange();

            assertThat(pair.atServer.events).contains(Beginning.STRICT);
            assertThat(pair.atServer.packets).containsExactly("18:prelogin");
            assertThat(pair.atClient.packets).containsExactly("4:answer");
            assertThat(contains(pair.fromClient, "prelogin")).isFalse();
            assertThat(contains(pair.fromServer, "answer")).isFalse();
            SslHandler ssl = pair.server.pipeline().get(SslHandler.class);
            assertThat(ssl.applicationProtocol()).isEqualTo("tds/8.0");
            assertThat(ssl.getHandshakeTimeoutMillis())
                    .as("the login has a limit of its own")
                    .isZero();
            assertThat(ssl.engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(pair.server.pipeline().get(FirstByteSwitch.class)).isNull();
        }
    }

    @Test
    void strictConnectionMayArriveByteByByte() throws Exception {
        try (TlsPair pair = TlsPair.strict(SslProvider.OPENSSL, SslProvider.OPENSSL)
                .inPiecesOf(1)
                .exchange()) {
            send(pair.client, PacketType.PRELOGIN, "prelogin");
            pair.exchange();

            assertThat(pair.atServer.packets).containsExactly("18:prelogin");
        }
    }

    @ParameterizedTest
    @CsvSource({"18, PRELOGIN", "16, LOGIN7"})
    void plainConnectionsPassAsTheyAre(int firstByte, Beginning beginning) {
        List<Object> events = new ArrayList<>();
        EmbeddedChannel channel =
                new EmbeddedChannel(new FirstByteSwitch(() -> null), new ChannelInboundHandlerAdapter() {
                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        events.add(event);
                    }
                });

        ByteBuf bytes = Unpooled.wrappedBuffer(new byte[] {(byte) firstByte, 1, 2, 3});
        channel.writeInbound(bytes);

        assertThat(events).containsExactly(beginning);
        assertThat(channel.<ByteBuf>readInbound()).isSameAs(bytes);
        assertThat(channel.pipeline().get(FirstByteSwitch.class)).isNull();
        bytes.release();
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "\u0000", "\u0016\u0003\u0001", "SSH-2.0"})
    void anythingElseIsAProtocolError(String first) {
        TlsPair.Received received = new TlsPair.Received();
        EmbeddedChannel channel = new EmbeddedChannel(new FirstByteSwitch(() -> null), received);

        ByteBuf bytes = Unpooled.copiedBuffer(first, StandardCharsets.ISO_8859_1);
        channel.writeInbound(bytes);

        assertThat(received.failures).hasSize(1).first().isInstanceOf(ProtocolException.class);
        assertThat(bytes.refCnt()).isZero();
    }
}
