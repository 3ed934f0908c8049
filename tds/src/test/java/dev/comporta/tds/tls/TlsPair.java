package dev.comporta.tds.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;

/** A client and a server, with what passes between them in view. */
final class TlsPair implements AutoCloseable {
    private static final SelfSignedCertificate CERTIFICATE;

    /** Made once: they take longer than a handshake. */
    private static final Map<SslProvider, TlsContexts> SERVERS = new EnumMap<>(SslProvider.class);

    private static final Map<SslProvider, TlsContexts> CLIENTS = new EnumMap<>(SslProvider.class);

    static {
        try {
            CERTIFICATE = SelfSignedCertificate.generate("standin", List.of("db.example", "127.0.0.1", "::1"));
            for (SslProvider provider : List.of(SslProvider.JDK, SslProvider.OPENSSL)) {
                SERVERS.put(provider, TlsContexts.server(provider, CERTIFICATE.key(), CERTIFICATE.certificate()));
                CLIENTS.put(provider, TlsContexts.trustingClient(provider));
            }
        } catch (GeneralSecurityException | SSLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What came out of one side's TLS, packet by packet. */
    static final class Received extends ChannelInboundHandlerAdapter {
        final List<String> packets = new ArrayList<>();
        final List<Object> events = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            ByteBuf packet = (ByteBuf) msg;
            boolean endsLogin = PacketHeader.type(packet) == PacketType.LOGIN7 && PacketHeader.isEndOfMessage(packet);
            int type = PacketHeader.type(packet);
            packets.add(type + ":" + packet.skipBytes(PacketHeader.LENGTH).toString(UTF_8));
            packet.release();
            WrappedTls tls = ctx.pipeline().get(WrappedTls.class);
            if (endsLogin && tls != null) {
                tls.endEncryption(ctx);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failures.add(cause);
            ctx.close();
        }
    }

    final EmbeddedChannel client = new EmbeddedChannel();
    final EmbeddedChannel server = new EmbeddedChannel();
    final Received atClient = new Received();
    final Received atServer = new Received();
    final ByteArrayOutputStream fromClient = new ByteArrayOutputStream();
    final ByteArrayOutputStream fromServer = new ByteArrayOutputStream();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
    private int pieceSize = Integer.MAX_VALUE;

    private TlsPair() {
        client.config().setAllocator(allocator);
        server.config().setAllocator(allocator);
        client.pipeline().addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE), atClient);
        server.pipeline().addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE), atServer);
    }

    /** Both sides as they are once PRELOGIN has been answered. */
    static TlsPair wrapped(SslProvider clientProvider, SslProvider serverProvider, Outcome outcome) {
        TlsPair pair = new TlsPair();
        pair.server
                .pipeline()
                .addFirst(WrappedTls.server(SERVERS.get(serverProvider).wrapped(), pair.server, outcome));
        pair.client
                .pipeline()
                .addFirst(WrappedTls.client(
                        CLIENTS.get(clientProvider).wrapped(), pair.client, "db.example", 1433, outcome));
        return pair;
    }

    static TlsPair strict(SslProvider clientProvider, SslProvider serverProvider) {
        TlsPair pair = new TlsPair();
        pair.server
                .pipeline()
                .addFirst(new FirstByteSwitch(() -> SERVERS.get(serverProvider).strict()));
        SslHandler ssl = CLIENTS.get(clientProvider).strict().newHandler(pair.client.alloc());
        pair.client.pipeline().addFirst(ssl);
        return pair;
    }

    /** From now on the network delivers no more than this many bytes at a time. */
    TlsPair inPiecesOf(int bytes) {
        pieceSize = bytes;
        return this;
    }

    /** Carries bytes to and fro until both sides are silent. */
    TlsPair exchange() {
        boolean moved = true;
        while (moved) {
            byte[] up = outboundOf(client);
            byte[] down = outboundOf(server);
            moved = up.length + down.length > 0;
            fromClient.writeBytes(up);
            fromServer.writeBytes(down);
            deliver(up, server);
            deliver(down, client);
        }
        return this;
    }

    void deliver(byte[] bytes, EmbeddedChannel to) {
        int at = 0;
        while (at < bytes.length && to.isOpen()) {
            int length = Math.min(pieceSize, bytes.length - at);
            to.writeOneInbound(to.alloc().buffer(length).writeBytes(bytes, at, length));
            if (to.isOpen()) {
                to.flushInbound();
            }
            at += length;
        }
    }

    static byte[] outboundOf(EmbeddedChannel channel) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            all.writeBytes(ByteBufUtil.getBytes(bytes));
            bytes.release();
        }
        return all.toByteArray();
    }

    static void send(EmbeddedChannel from, int type, String body) {
        send(from, type, PacketHeader.STATUS_EOM, body);
    }

    /** Writes from the last handler, as a program does. */
    static void send(EmbeddedChannel from, int type, int status, String body) {
        byte[] text = body.getBytes(UTF_8);
        ByteBuf packet = from.alloc().buffer();
        packet.writeByte(type)
                .writeByte(status)
                .writeShort(8 + text.length)
                .writeInt(0)
                .writeBytes(text);
        from.pipeline().lastContext().writeAndFlush(packet);
    }

    static boolean contains(ByteArrayOutputStream wire, String text) {
        ByteBuf haystack = Unpooled.wrappedBuffer(wire.toByteArray());
        return ByteBufUtil.indexOf(Unpooled.copiedBuffer(text, UTF_8), haystack) >= 0;
    }

    @Override
    public void close() {
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
        assertThat(allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory())
                .as("bytes that nobody has released")
                .isZero();
    }
}
