package dev.comporta.tds.tls;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A listener's first handler: recognizes by a connection's first byte whether it is strict (TLS at once) or TDS 7.x, fires a
 * {@link Beginning} as user event, replaces itself by TLS if it is strict, and leaves the pipeline.
 */
public final class FirstByteSwitch extends ChannelInboundHandlerAdapter {
    /** How a connection began. */
    public enum Beginning {
        /** TLS from the first byte; PRELOGIN and everything after it is encrypted. */
        STRICT,
        /** A PRELOGIN packet in plain text. */
        PRELOGIN,
        /** A LOGIN7 packet in plain text: old clients need not send PRELOGIN. */
        LOGIN7
    }

    private static final int TLS_HANDSHAKE = 0x16;

    private final Supplier<@Nullable SslContext> strict;

    /** @param strict TLS for strict connections; if it supplies null, they are a protocol error */
    public FirstByteSwitch(Supplier<@Nullable SslContext> strict) {
        this.strict = strict;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        if (!bytes.isReadable()) {
            bytes.release();
            return;
        }
        int first = bytes.getUnsignedByte(bytes.readerIndex());
        try {
            ctx.fireUserEventTriggered(
                    switch (first) {
                        case TLS_HANDSHAKE -> addStrictTls(ctx);
                        case PacketType.PRELOGIN -> Beginning.PRELOGIN;
                        case PacketType.LOGIN7 -> Beginning.LOGIN7;
                        default ->
                            throw new ProtocolException(
                                    "connection begins with byte " + first + ", neither TDS nor TLS");
                    });
        } catch (ProtocolException e) {
            bytes.release();
            throw e;
        }
        ctx.fireChannelRead(bytes);
        ctx.pipeline().remove(this);
    }

    private Beginning addStrictTls(ChannelHandlerContext ctx) {
        SslContext context = strict.get();
        if (context == null) {
            throw new ProtocolException("strict encryption asked of a listener without a certificate");
        }
        SslHandler ssl = WrappedTls.withoutTimeLimit(context.newHandler(ctx.alloc()));
        ctx.pipeline().addAfter(ctx.name(), null, ssl);
        return Beginning.STRICT;
    }
}
