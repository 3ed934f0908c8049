package dev.comporta.proxy.listen;

import dev.comporta.proxy.login.LoginProgress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Holds a connection that begins with TLS (TDS 8.0) until its handshake may begin, then leaves the pipeline. Other
 * connections request their turn after PRELOGIN. Confined to the connection's loop.
 */
final class StrictTurn extends ChannelInboundHandlerAdapter {
    private static final int TLS_HANDSHAKE = 0x16;

    private final LoginProgress progress;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private boolean asked;

    StrictTurn(LoginProgress progress) {
        this.progress = progress;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (!bytes.isReadable()) {
            bytes.release();
        } else if (asked) {
            // It was read before reading stopped: keep it in order.
            held = Unpooled.wrappedBuffer(held, bytes);
        } else if (bytes.getUnsignedByte(bytes.readerIndex()) == TLS_HANDSHAKE) {
            asked = true;
            held = bytes;
            progress.beforeHandshake(() -> begin(ctx));
        } else {
            passOn(ctx, bytes);
        }
    }

    private void begin(ChannelHandlerContext ctx) {
        ByteBuf hello = held;
        held = Unpooled.EMPTY_BUFFER;
        passOn(ctx, hello);
        ctx.fireChannelReadComplete(); // so that TLS answers
    }

    private void passOn(ChannelHandlerContext ctx, ByteBuf bytes) {
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(bytes);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        held.release();
        held = Unpooled.EMPTY_BUFFER;
        ctx.fireChannelInactive();
    }
}
